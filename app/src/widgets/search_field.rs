//! A field to search by typing, with a cross that clears it.

use eframe::egui::{
    Frame, Key, Margin, Modifiers, Rect, Response, RichText, Stroke, StrokeKind, TextEdit, Ui,
    UiBuilder, Vec2,
};

use super::button::icon_button;
use super::paint;
use crate::theme::fonts;
use crate::theme::icons::{self, Icon};
use crate::theme::style::{CONTROL, CONTROL_CORNER, ROW, STEP};
use crate::theme::tokens::Palette;

/// Draws the field as wide as there is room. `hint` stands in it while it is empty, and is its accessible name;
/// `clear` names the cross. Esc clears it, and leaves it when it is clear. The response says when it changed.
pub fn ui(
    ui: &mut Ui,
    palette: &Palette,
    (hint, clear): (&str, &str),
    text: &mut String,
) -> Response {
    let width = ui.available_width();
    let (_, rect) = ui.allocate_space(Vec2::new(width, CONTROL));
    ui.painter().rect(
        rect,
        CONTROL_CORNER,
        palette.field,
        Stroke::new(1.0, palette.line),
        StrokeKind::Inside,
    );
    let at = [
        rect.left() + 2.0 * STEP + icons::SIZE / 2.0,
        rect.center().y,
    ]
    .into();
    paint::icon(ui, at, Icon::Search, icons::SIZE - 2.0, palette.text_faint);
    let inner = Rect::from_min_max(
        [rect.left() + 3.5 * STEP + icons::SIZE, rect.top()].into(),
        [rect.right() - CONTROL, rect.bottom()].into(),
    );
    let edit = TextEdit::singleline(text)
        .frame(Frame::NONE.inner_margin(Margin::ZERO))
        .font(fonts::text(ROW))
        .text_color(palette.text)
        .hint_text(RichText::new(hint).size(ROW).color(palette.text_faint))
        .align(eframe::egui::Align2::LEFT_CENTER)
        .min_size(inner.size())
        .desired_width(inner.width());
    let mut response = ui.put(inner, edit);
    ui.ctx()
        .accesskit_node_builder(response.id, |node| node.set_label(hint));
    if response.has_focus() {
        paint::ring_inside(ui.painter(), rect, palette);
    }
    if !text.is_empty() {
        let right = Rect::from_min_max([inner.right(), rect.top()].into(), rect.max);
        let mut child = ui.new_child(UiBuilder::new().max_rect(right));
        let cross = icon_button(&mut child, palette, Icon::X, clear).clicked();
        let focused = response.has_focus() || response.lost_focus();
        let escaped =
            focused && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
        if cross || escaped {
            text.clear();
            response.mark_changed();
            response.request_focus();
        }
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widgets::testing::{Stage, named, names};

    #[test]
    fn it_has_a_name_and_esc_clears_it_before_it_leaves() {
        let mut stage = Stage::new();
        let mut text = "date".to_owned();
        let mut draw = |ui: &mut Ui, palette: &Palette| {
            super::ui(ui, palette, ("Search sessions", "Clear"), &mut text);
        };
        let tree = stage.frame(&[], &mut draw);
        named(&tree, "Search sessions");
        named(&tree, "Clear");
        stage.frame(&[Key::Tab], &mut draw);
        stage.frame(&[], &mut draw);
        stage.frame(&[Key::Escape], &mut draw);
        let tree = stage.frame(&[], &mut draw);
        assert!(!names(&tree).contains(&"Clear"));
        assert_eq!(text, "");
    }

    #[test]
    fn its_cross_clears_it() {
        let mut stage = Stage::new();
        let mut text = "date".to_owned();
        stage.click("Clear", |ui, palette| {
            super::ui(ui, palette, ("Search sessions", "Clear"), &mut text);
        });
        assert_eq!(text, "");
    }
}
