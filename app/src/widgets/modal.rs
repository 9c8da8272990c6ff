//! A dialog over the window: nothing behind it can be reached until it is closed.

use eframe::egui::{self, Align, Context, Frame, Id, Layout, Margin, Role, Shadow, Stroke, Ui};

use super::button::icon_button;
use super::paint;
use crate::theme::fonts;
use crate::theme::icons::Icon;
use crate::theme::style::{CARD_CORNER, CONTROL, STEP};
use crate::theme::tokens::Palette;

/// The room inside the card, in points.
const INSIDE: i8 = 16;
/// The size of the title, in points.
const TITLE: f32 = 16.0;
/// The least room left beside the card, in points.
const BESIDE: f32 = 24.0;

/// What came of a frame of a dialog.
#[derive(Debug)]
pub struct Shown<T> {
    /// What the content gave.
    pub inner: T,
    /// Whether it was closed: by Esc, by its cross, or by a click beside it.
    pub closed: bool,
}

/// Draws a dialog in the middle of the window, `width` points wide or as wide as there is room. `close` is the
/// accessible name of its cross.
pub fn ui<T>(
    context: &Context,
    palette: &Palette,
    id: Id,
    (title, close): (&str, &str),
    width: f32,
    inside: impl FnOnce(&mut Ui) -> T,
) -> Shown<T> {
    let visuals = context.global_style().visuals.clone();
    let frame = Frame::new()
        .fill(palette.card)
        .stroke(Stroke::new(1.0, palette.line))
        .corner_radius(CARD_CORNER)
        .inner_margin(Margin::same(INSIDE))
        .shadow(Shadow {
            offset: [0, 8],
            blur: 32,
            spread: 0,
            color: visuals.popup_shadow.color,
        });
    let room = context.content_rect().width() - 2.0 * BESIDE;
    let mut cross = false;
    let response = egui::Modal::new(id).frame(frame).show(context, |ui| {
        ui.set_width(width.min(room) - 2.0 * f32::from(INSIDE));
        let dialog = ui.unique_id();
        context.accesskit_node_builder(dialog, |node| {
            node.set_role(Role::Dialog);
            node.set_label(title);
            node.set_modal();
        });
        ui.horizontal(|ui| {
            let room = ui.available_width() - CONTROL - STEP;
            let galley =
                paint::layout_within(ui, title, fonts::semibold(TITLE), palette.text, room);
            let at = ui.max_rect().left_center();
            let middle = ui.cursor().top() + CONTROL / 2.0;
            paint::text(ui.painter(), at.x, middle, TITLE, galley);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                cross = icon_button(ui, palette, Icon::X, close).clicked();
            });
        });
        ui.add_space(STEP);
        inside(ui)
    });
    Shown {
        closed: cross || response.should_close(),
        inner: response.inner,
    }
}

#[cfg(test)]
mod tests {
    use eframe::egui::Key;

    use super::*;
    use crate::widgets::button::Button;
    use crate::widgets::testing::{Stage, named};

    #[test]
    fn it_is_a_dialog_with_a_name_that_esc_and_its_cross_close() {
        let mut stage = Stage::new();
        let mut closed = false;
        let mut draw = |ui: &mut Ui, palette: &Palette| {
            let names = ("About", "Close");
            let shown = super::ui(ui.ctx(), palette, Id::unique("about"), names, 400.0, |ui| {
                ui.label("inside");
            });
            closed = shown.closed;
        };
        stage.frame(&[], &mut draw);
        let tree = stage.frame(&[], &mut draw);
        assert_eq!(named(&tree, "About").role(), Role::Dialog);
        stage.frame(&[Key::Escape], &mut draw);
        assert!(std::mem::take(&mut closed));
        let mut draw = |ui: &mut Ui, palette: &Palette| {
            let names = ("About", "Close");
            closed |=
                super::ui(ui.ctx(), palette, Id::unique("about"), names, 400.0, |_| {}).closed;
        };
        stage.click("Close", &mut draw);
        assert!(closed);
    }

    #[test]
    fn what_is_behind_it_cannot_be_pressed() {
        let mut stage = Stage::new();
        let mut pressed = false;
        let mut draw = |ui: &mut Ui, palette: &Palette| {
            pressed |= Button::new("Behind").show(ui, palette).clicked();
            let names = ("About", "Close");
            super::ui(ui.ctx(), palette, Id::unique("about"), names, 400.0, |_| {});
        };
        stage.frame(&[], &mut draw);
        for _ in 0..3 {
            stage.frame(&[Key::Tab], &mut draw);
            stage.frame(&[Key::Space], &mut draw);
        }
        assert!(!pressed);
    }
}
