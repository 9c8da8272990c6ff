//! A short mark beside a name: a count, a state.

use eframe::egui::{Color32, Response, Role, Sense, Ui, Vec2, WidgetInfo};

use super::paint;
use crate::theme::fonts;
use crate::theme::style::{META, STEP};
use crate::theme::tokens::Palette;

/// The height of a badge, in points.
const HEIGHT: f32 = 18.0;
/// Its corner, in points.
const CORNER: u8 = 4;

/// Draws a badge with its text in this colour on the ground of a control.
pub fn ui(ui: &mut Ui, palette: &Palette, text: &str, color: Color32) -> Response {
    let galley = paint::layout(ui, text, fonts::text(META), color);
    let width = (galley.size().x + 3.0 * STEP).ceil();
    let (rect, response) = ui.allocate_exact_size(Vec2::new(width, HEIGHT), Sense::hover());
    ui.painter().rect_filled(rect, CORNER, palette.control);
    let inset = (rect.width() - galley.size().x) / 2.0;
    let left = rect.left() + inset;
    paint::text(ui.painter(), left, rect.center().y, META, galley);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    response
}
