//! The slim line over a live scenario's conversation: what it is, where it is at, what is expected.

use eframe::egui::{Align, Frame, Label, Layout, Margin, Panel, RichText, Stroke, Ui};

use super::list::mark_of;
use super::parts::Kind;
use crate::commands::{QaCommand, UiCommand};
use crate::i18n::{count, fill};
use crate::state::qa::{Shown, Stage};
use crate::theme::fonts;
use crate::theme::icons::{Icon, icon};
use crate::theme::style::{CONTROL, ROW, TEXT};
use crate::widgets::button::Button;
use crate::window::scene::Scene;

/// Draws it.
pub(super) fn show(ui: &mut Ui, scene: &mut Scene<'_>) {
    let palette = scene.palette;
    let shown = Panel::top("qa-strip")
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
                |ui| line(ui, scene),
            );
        });
    let rect = shown.response.rect;
    let under = Stroke::new(2.0, palette.accent);
    ui.painter()
        .hline(rect.x_range(), rect.bottom() - 1.0, under);
}

fn line(ui: &mut Ui, scene: &mut Scene<'_>) {
    let palette = scene.palette;
    let words = &scene.words.qa;
    let qa = &scene.state.qa;
    let Some(live) = &qa.live else {
        return;
    };
    let name = live.name.clone();
    let result = qa.results.get(&name).filter(|_| live.stage == Stage::Over);
    let mark = result.map(|result| mark_of(scene, result));
    if live.stage == Stage::Over && !qa.is_batch() {
        if Button::new(words.show_result).show(ui, palette).clicked() {
            scene.send(UiCommand::Qa(QaCommand::Show(Shown::Detail(name.clone()))));
        }
    } else {
        let stop = Button::new(words.stop).icon(Icon::Square);
        if stop.show(ui, palette).clicked() {
            scene.send(UiCommand::Qa(QaCommand::Stop));
        }
    }
    if let Some((mark, colour, word)) = mark {
        ui.label(RichText::new(word).size(ROW).color(colour));
        ui.label(icon(mark, 14.0, colour));
    } else {
        let word = match live.stage {
            Stage::Preparing => words.preparing,
            Stage::Running => words.running,
            Stage::Checking | Stage::Over => words.checking,
        };
        ui.label(RichText::new(word).size(ROW).color(palette.accent));
    }
    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
        ui.label(icon(Kind::Live.icon(), 16.0, palette.accent));
        let title = RichText::new(&name)
            .font(fonts::semibold(TEXT))
            .color(palette.text);
        ui.label(title);
        let chat = &scene.words.chat;
        let mut parts = vec![count(chat.steps_one, chat.steps_many, live.steps())];
        if let Some(scenario) = qa.scenario(&name) {
            let outcome = scenario.expect.outcome.name();
            parts.push(fill(words.expects, &[("outcome", outcome)]));
        }
        if let Some(batch) = qa.batch.as_ref().filter(|batch| !batch.over) {
            let (n, m) = (batch.played.len(), batch.played.len() + batch.left.len());
            parts.insert(0, format!("{n} / {m}"));
        }
        let text = RichText::new(parts.join(" · "))
            .size(ROW)
            .color(palette.text_dim);
        ui.add(Label::new(text).truncate());
    });
}
