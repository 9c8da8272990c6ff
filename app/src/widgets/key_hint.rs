//! A key cap.
use crate::theme::style::META;
use crate::theme::tokens::Palette;
use eframe::egui::{CornerRadius, FontId, Frame, Margin, RichText, Ui};
/// Draws one.
pub fn show(ui: &mut Ui, palette: &Palette, keys: &str) {
    let _ = FontId::default();
    Frame::new()
        .fill(palette.control)
        .corner_radius(CornerRadius::same(4))
        .inner_margin(Margin::symmetric(5, 1))
        .show(ui, |ui| {
            ui.label(RichText::new(keys).size(META - 1.0).color(palette.text_dim));
        });
}
