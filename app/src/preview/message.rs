//! A sentence in place of a content: why there is none, and what can be done.

use eframe::egui::{Align, Label, Layout, RichText, Ui};

use crate::text::visible;
use crate::theme::fonts;
use crate::theme::icons::{Icon, icon};
use crate::theme::style::{ROW, STEP, TEXT};
use crate::widgets::button::Button;
use crate::window::scene::Scene;

/// The widest that a sentence gets, in points.
const WIDTH: f32 = 420.0;

/// Draws it in the middle. Tells whether the button was pressed.
pub(super) fn show(
    ui: &mut Ui,
    scene: &Scene<'_>,
    what: Icon,
    title: &str,
    text: &str,
    button: Option<&str>,
) -> bool {
    let palette = scene.palette;
    let mut pressed = false;
    ui.with_layout(Layout::top_down(Align::Center), |ui| {
        ui.add_space((ui.available_height() * 0.25).min(160.0));
        ui.set_max_width(WIDTH.min(ui.available_width() - 8.0 * STEP));
        ui.label(icon(what, 28.0, palette.text_faint));
        ui.add_space(3.0 * STEP);
        if !title.is_empty() {
            let title = RichText::new(title)
                .font(fonts::semibold(TEXT))
                .color(palette.text);
            ui.add(Label::new(title).wrap());
            ui.add_space(STEP);
        }
        let text = RichText::new(visible::text(text))
            .size(ROW)
            .color(palette.text_dim);
        ui.add(Label::new(text).wrap());
        if let Some(button) = button {
            ui.add_space(3.0 * STEP);
            pressed = Button::new(button).show(ui, palette).clicked();
        }
    });
    pressed
}

/// Says at the upper left that something is being read.
pub(super) fn loading(ui: &mut Ui, scene: &Scene<'_>) {
    ui.add_space(3.0 * STEP);
    ui.horizontal(|ui| {
        ui.add_space(3.0 * STEP);
        let text = RichText::new(scene.words.preview.loading)
            .size(ROW)
            .color(scene.palette.text_dim);
        ui.label(text);
    });
}
