//! A page in the middle of the window: its title, a column to read, and the keys that hold on all of them.

use eframe::egui::{Align, Id, Key, Layout, Modifiers, RichText, ScrollArea, Ui, UiBuilder, Vec2};

use super::scene::Scene;
use crate::commands::UiCommand;
use crate::state::Page;
use crate::theme::fonts;
use crate::theme::icons::Icon;
use crate::theme::style::{CONTROL, STEP, TITLE};
use crate::widgets::button::icon_button;
use crate::widgets::modal;

/// The width of the column, in points.
pub const WIDTH: f32 = 640.0;
/// The least room beside it, in points.
const MARGIN: f32 = 24.0;
/// How much of a screen a press of Page Down goes.
const LEAP: f32 = 0.9;
/// Past the end of every page, in points.
const FAR: f32 = 1e6;

/// Draws a page under its title. Esc and the cross go back to the chat; what has the focus is scrolled into
/// sight.
pub fn show(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    title: &str,
    add: impl FnOnce(&mut Ui, &mut Scene<'_>),
) {
    let palette = scene.palette;
    ui.add_space(3.0 * STEP);
    in_column(ui, WIDTH, |ui| {
        let line = Vec2::new(ui.available_width(), CONTROL);
        ui.allocate_ui_with_layout(line, Layout::right_to_left(Align::Center), |ui| {
            let back = format!("{} · Esc", scene.words.common.back);
            if icon_button(ui, palette, Icon::X, &back).clicked() {
                scene.send(UiCommand::Show(Page::Chat));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.label(
                    RichText::new(title)
                        .font(fonts::semibold(TITLE))
                        .color(palette.text),
                );
            });
        });
    });
    ui.add_space(STEP);
    scrolled(ui, scene, title, WIDTH, add);
}

/// The column of a page, scrolled. `name` tells the pages apart.
pub fn scrolled(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    name: &str,
    width: f32,
    add: impl FnOnce(&mut Ui, &mut Scene<'_>),
) {
    let typing = Id::unique("page-typing");
    let was_typing = ui.data(|data| data.get_temp::<bool>(typing).unwrap_or_default());
    let under_modal = modal::lies_over(ui);
    if !was_typing && !under_modal {
        let escape = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
        if escape {
            scene.send(UiCommand::Show(Page::Chat));
        }
    }
    let height = ui.available_height();
    ScrollArea::vertical()
        .id_salt(("page", name))
        .auto_shrink(false)
        .show(ui, |ui| {
            if !was_typing && !under_modal {
                scroll_by_keys(ui, height);
            }
            in_column(ui, width, |ui| {
                add(ui, scene);
                ui.add_space(8.0 * STEP);
            });
            follow_focus(ui);
        });
    let is_typing = ui.ctx().text_edit_focused();
    ui.data_mut(|data| data.insert_temp(typing, is_typing));
}

fn scroll_by_keys(ui: &mut Ui, height: f32) {
    let leap = [
        (Key::PageDown, -LEAP * height),
        (Key::PageUp, LEAP * height),
        (Key::End, -FAR),
        (Key::Home, FAR),
    ];
    for (key, by) in leap {
        if ui.input_mut(|input| input.consume_key(Modifiers::NONE, key)) {
            ui.scroll_with_delta(Vec2::new(0.0, by));
        }
    }
}

/// Scrolls to what has the focus when the focus has moved.
fn follow_focus(ui: &mut Ui) {
    let place = Id::unique("page-focus");
    let now = ui.memory(eframe::egui::Memory::focused);
    let before = ui.data(|data| data.get_temp::<Option<Id>>(place).flatten());
    if now == before {
        return;
    }
    ui.data_mut(|data| data.insert_temp(place, now));
    if let Some(response) = now.and_then(|id| ui.ctx().read_response(id)) {
        ui.scroll_to_rect(response.rect.expand(4.0 * STEP), None);
    }
}

/// Lays something out in a column of this width in the middle, or a narrower one where there is less room.
fn in_column(ui: &mut Ui, width: f32, add: impl FnOnce(&mut Ui)) {
    let room = ui.available_width();
    let width = width.min(room - 2.0 * MARGIN).max(0.0);
    let side = (room - width) / 2.0;
    let place = ui.available_rect_before_wrap();
    let place = place
        .with_min_x(place.left() + side)
        .with_max_x(place.left() + side + width);
    ui.scope_builder(UiBuilder::new().max_rect(place), |ui| {
        ui.set_width(width);
        add(ui);
    });
}
