//! The panel as a whole: the list at the left, what was chosen at the right.

use eframe::egui::{CentralPanel, Frame, Label, Margin, Panel, RichText, ScrollArea, Ui};

use super::{banner, detail, list, parts, strip, summary};
use crate::chat::{self, ChatView};
use crate::state::draft::Draft;
use crate::state::qa::Shown;
use crate::theme::style::{COLUMN, TEXT_LINE};
use crate::window::scene::Scene;

/// The list's width, in points.
const LIST: f32 = 256.0;

/// Draws the panel. `chat` and `draft` are those of the conversation on screen.
pub fn show(ui: &mut Ui, scene: &mut Scene<'_>, chat: &mut ChatView, draft: &mut Draft) {
    Panel::left("qa-list")
        .exact_size(LIST)
        .resizable(false)
        .frame(Frame::new().inner_margin(Margin {
            left: 8,
            right: 8,
            top: 8,
            bottom: 0,
        }))
        .show(ui, |ui| list::show(ui, scene));
    CentralPanel::no_frame().show(ui, |ui| match scene.state.qa.shown.clone() {
        Shown::Nothing => page(ui, |ui| about(ui, scene)),
        Shown::Detail(name) => page(ui, |ui| detail::show(ui, scene, &name)),
        Shown::Summary => page(ui, |ui| summary::show(ui, scene)),
        Shown::Chat => {
            strip::show(ui, scene);
            chat::show(ui, scene, chat, draft);
        }
        Shown::Sample(key) => {
            banner::show(ui, scene, key);
            chat::show(ui, scene, chat, draft);
        }
    });
}

/// A page that is read: scrolled, with a margin, no wider than text is.
fn page(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        Frame::new()
            .inner_margin(Margin::symmetric(24, 20))
            .show(ui, |ui| {
                ui.set_width(ui.available_width().min(COLUMN + 120.0));
                ui.spacing_mut().item_spacing.y = 8.0;
                add(ui);
            });
    });
}

/// What the panel is, when nothing is chosen.
fn about(ui: &mut Ui, scene: &mut Scene<'_>) {
    let words = &scene.words.qa;
    parts::title(ui, scene, scene.words.commands.qa);
    for (kind, text) in [
        (parts::Kind::Live, words.live_text),
        (parts::Kind::Sample, words.sample_text),
    ] {
        ui.add_space(8.0);
        parts::badge(ui, scene, kind);
        let text = RichText::new(text)
            .color(scene.palette.text_dim)
            .line_height(Some(TEXT_LINE));
        ui.add(Label::new(text).wrap());
    }
    ui.add_space(8.0);
    parts::needs_simulation(ui, scene);
}
