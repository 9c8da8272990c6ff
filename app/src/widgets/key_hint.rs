//! A key to press, drawn as a small cap.

use eframe::egui::{Color32, Rect, Sense, Ui, Vec2};

use super::paint;
use crate::theme::fonts;
use crate::theme::style::STEP;
use crate::theme::tokens::Palette;

/// The height of a cap, and its least width, in points.
const CAP: f32 = 18.0;
/// The size of what is written on it, in points.
const SIZE: f32 = 11.0;
/// The cap's corner, in points.
const CORNER: u8 = 4;

/// A cap with its colours, measured before it is drawn.
pub(super) struct Cap {
    galley: std::sync::Arc<eframe::egui::Galley>,
    ground: Color32,
}

impl Cap {
    /// Lays out a cap for a text such as `A` or `Ctrl N`.
    pub(super) fn new(ui: &Ui, key: &str, color: Color32, ground: Color32) -> Self {
        Self {
            galley: paint::layout(ui, key, fonts::text(SIZE), color),
            ground,
        }
    }

    /// How wide it is, in points.
    pub(super) fn width(&self) -> f32 {
        (self.galley.size().x + 2.0 * STEP).ceil().max(CAP)
    }

    /// Draws it from `left`, in the middle of `middle`.
    pub(super) fn paint(self, ui: &Ui, left: f32, middle: f32) {
        let size = Vec2::new(self.width(), CAP);
        let rect = Rect::from_min_size([left, middle - CAP / 2.0].into(), size);
        ui.painter().rect_filled(rect, CORNER, self.ground);
        let inset = (rect.width() - self.galley.size().x) / 2.0;
        paint::text(ui.painter(), left + inset, middle, SIZE, self.galley);
    }
}

/// Draws a key's cap in its place. It is for the eye only: the command it stands beside says its own name.
pub fn ui(ui: &mut Ui, palette: &Palette, key: &str) {
    let cap = Cap::new(ui, key, palette.text_dim, palette.control);
    let (rect, _) = ui.allocate_exact_size(Vec2::new(cap.width(), CAP), Sense::hover());
    cap.paint(ui, rect.left(), rect.center().y);
}
