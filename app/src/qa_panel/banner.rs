//! What is over a sample all the time: that it is one.

use eframe::egui::{Align, Frame, Label, Layout, Margin, Panel, RichText, Stroke, Ui};

use super::parts::Kind;
use crate::commands::{QaCommand, UiCommand};
use crate::state::qa::{Play, Shown, is_sample};
use crate::theme::icons::{Icon, icon};
use crate::theme::style::CONTROL;
use crate::widgets::button::{Button, icon_button};
use crate::window::scene::Scene;

/// Draws it, over the sample of this key.
pub(super) fn show(ui: &mut Ui, scene: &mut Scene<'_>, key: &'static str) {
    let palette = scene.palette;
    let words = &scene.words.qa;
    let shown = Panel::top("qa-banner")
        .resizable(false)
        .show_separator_line(false)
        .frame(
            Frame::new()
                .fill(palette.card)
                .inner_margin(Margin::symmetric(16, 6)),
        )
        .show(ui, |ui| {
            ui.allocate_ui_with_layout(
                [ui.available_width(), CONTROL].into(),
                Layout::right_to_left(Align::Center),
                |ui| {
                    let again = Button::new(words.again).icon(Icon::RotateCcw);
                    if again.show(ui, palette).clicked() {
                        scene.send(UiCommand::Qa(QaCommand::Show(Shown::Sample(key))));
                    }
                    other_session(ui, scene);
                    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                        ui.label(icon(Kind::Sample.icon(), 16.0, palette.attention));
                        let text = RichText::new(words.banner).color(palette.attention);
                        ui.add(Label::new(text).truncate())
                            .on_hover_text(words.banner);
                    });
                },
            );
        });
    let rect = shown.response.rect;
    let line = Stroke::new(2.0, palette.attention);
    ui.painter()
        .hline(rect.x_range(), rect.bottom() - 1.0, line);
}

/// The way to the sample's other session, where it has two.
fn other_session(ui: &mut Ui, scene: &mut Scene<'_>) {
    let sessions = scene.state.qa.play.as_ref().map(Play::sessions);
    let current = scene.state.current.as_ref().filter(|id| is_sample(id));
    let other = (sessions.unwrap_or_default().iter()).find(|id| Some(*id) != current);
    if let Some(other) = other.cloned() {
        let title = scene.state.sessions.summary(&other);
        let title = title.map_or("", |summary| summary.title.as_str());
        // The words beside it must have their room, so it is no more than an arrow.
        if icon_button(ui, scene.palette, Icon::ArrowRight, title).clicked() {
            scene.send(UiCommand::OpenSession(other));
        }
    }
}
