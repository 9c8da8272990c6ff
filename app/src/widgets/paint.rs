//! What the widgets draw with: text whose capitals stand in the middle of their row, icons by their visible
//! middle, the ring around what has the focus.

use std::sync::Arc;

use eframe::egui::{
    Color32, FontId, Galley, Painter, Pos2, Rect, Response, Stroke, StrokeKind, Ui, Vec2,
    text::{LayoutJob, TextFormat},
};

use crate::theme::fonts;
use crate::theme::icons::Icon;
use crate::theme::style::{CODE, CONTROL_CORNER};
use crate::theme::tokens::Palette;

/// The height of a capital in Inter and JetBrains Mono, in parts of the size.
const CAPITAL: f32 = 0.73;
/// The width of the focus ring, in points.
const RING: f32 = 1.5;
/// How far a ground goes towards the text's colour under the pointer.
const HOVER: f32 = 0.08;
/// How far it goes while pressed.
const PRESS: f32 = 0.14;

/// A text in one row, of one colour, never wrapped.
pub(super) fn layout(ui: &Ui, text: &str, font: FontId, color: Color32) -> Arc<Galley> {
    ui.painter().layout_no_wrap(text.to_owned(), font, color)
}

/// The same, ending in `…` where it would be wider than this many points.
pub(super) fn layout_within(
    ui: &Ui,
    text: &str,
    font: FontId,
    color: Color32,
    width: f32,
) -> Arc<Galley> {
    let mut job = LayoutJob::single_section(text.to_owned(), TextFormat::simple(font, color));
    job.wrap.max_width = width.max(0.0);
    job.wrap.max_rows = 1;
    job.wrap.break_anywhere = true;
    ui.painter().layout_job(job)
}

/// Draws one row of text from `left` so that capitals of this size stand in the middle of `middle`. Texts of
/// other sizes on the same row are given the same size here, and so stand on the same line.
pub(super) fn text(painter: &Painter, left: f32, middle: f32, size: f32, galley: Arc<Galley>) {
    // The line of a Latin letter where there is one: letters that come from another typeface stand lower.
    let baseline = galley.rows.first().and_then(|row| {
        let latin = row.glyphs.iter().find(|glyph| glyph.chr.is_ascii_graphic());
        Some(row.pos.y + latin.or(row.glyphs.first())?.pos.y)
    });
    let Some(baseline) = baseline else { return };
    let top = middle + CAPITAL * size / 2.0 - baseline;
    let color = galley
        .job
        .sections
        .first()
        .map_or(Color32::PLACEHOLDER, |section| section.format.color);
    let at = Pos2::new(left, top);
    painter.galley(round(painter, at), galley, color);
}

/// Draws an icon so that what is seen of it stands in the middle.
pub(super) fn icon(ui: &Ui, middle: Pos2, icon: Icon, size: f32, color: Color32) {
    let glyph = char::from(icon).to_string();
    let galley = layout(ui, &glyph, fonts::icons(size), color);
    let at = middle - galley.mesh_bounds.center().to_vec2();
    ui.painter().galley(round(ui.painter(), at), galley, color);
}

/// The width of a column of code, in points.
pub(super) fn column(ui: &Ui) -> f32 {
    ui.ctx().fonts_mut(|f| f.glyph_width(&fonts::mono(), '0'))
}

/// Code in one row.
pub(super) fn code(ui: &Ui, text: &str, color: Color32) -> Arc<Galley> {
    layout(ui, text, fonts::mono(), color)
}

/// Draws one row of code; see [`text`].
pub(super) fn code_row(painter: &Painter, left: f32, middle: f32, galley: Arc<Galley>) {
    text(painter, left, middle, CODE, galley);
}

/// A ground as it looks under the pointer or pressed.
pub(super) fn ground(ground: Color32, response: &Response, palette: &Palette) -> Color32 {
    if response.is_pointer_button_down_on() {
        ground.lerp_to_gamma(palette.text, PRESS)
    } else if response.hovered() {
        ground.lerp_to_gamma(palette.text, HOVER)
    } else {
        ground
    }
}

/// A ground that is there only under the pointer, for a row or a quiet button.
pub(super) fn quiet_ground(response: &Response, palette: &Palette) -> Color32 {
    if response.is_pointer_button_down_on() {
        palette.text.gamma_multiply(PRESS)
    } else if response.hovered() {
        palette.text.gamma_multiply(HOVER)
    } else {
        Color32::TRANSPARENT
    }
}

/// Draws the ring around a control that has the focus: outside it, with a gap.
pub(super) fn ring_outside(ui: &Ui, response: &Response, palette: &Palette) {
    if response.has_focus() {
        ui.painter().rect_stroke(
            response.rect.expand(1.5),
            CONTROL_CORNER + 2,
            Stroke::new(RING, palette.accent),
            StrokeKind::Outside,
        );
    }
}

/// Draws the ring inside a row or an area, where there is no room around it.
pub(super) fn ring_inside(painter: &Painter, rect: Rect, palette: &Palette) {
    painter.rect_stroke(
        rect,
        4,
        Stroke::new(RING, palette.accent),
        StrokeKind::Inside,
    );
}

fn round(painter: &Painter, at: Pos2) -> Pos2 {
    let scale = painter.pixels_per_point();
    let Vec2 { x, y } = (at.to_vec2() * scale).round() / scale;
    Pos2::new(x, y)
}
