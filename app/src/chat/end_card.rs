//! How a run ended, and what the person can do next; notices in between.

use eframe::egui::{Color32, CornerRadius, Frame, Label, Margin, RichText, Stroke, Ui};
use wisp_engine::protocol::{Failure, FailureKind, RunOutcome};

use super::words::{number, span, title_of_failure};
use crate::commands::{Command, UiCommand};
use crate::i18n::{count, fill};
use crate::state::Page;
use crate::state::transcript::{Notice, Run, RunEnd, Step};
use crate::text::visible;
use crate::theme::fonts;
use crate::theme::icons::{Icon, icon};
use crate::theme::style::{CARD_CORNER, META, ROW, STEP, TEXT, TEXT_LINE};
use crate::widgets::button::{Button, Kind, icon_button};
use crate::window::scene::Scene;

/// A notice: one quiet line.
pub(super) fn notice(ui: &mut Ui, scene: &Scene<'_>, notice: &Notice) {
    let palette = scene.palette;
    ui.add_space(STEP);
    ui.horizontal_wrapped(|ui| {
        ui.label(icon(Icon::Info, 14.0, palette.attention));
        let text = RichText::new(visible::text(&notice.message))
            .size(ROW)
            .color(palette.text_dim);
        ui.add(Label::new(text).wrap());
    });
    ui.add_space(STEP);
}

/// The end of a run. `newest`: nothing came after it, so that it can be gone on from here.
pub(super) fn show(ui: &mut Ui, scene: &mut Scene<'_>, run: &Run, newest: bool) {
    let Some(end) = &run.end else {
        return;
    };
    let card = &scene.words.card;
    let attention = scene.palette.attention;
    match &end.outcome {
        RunOutcome::Done => done(ui, scene, run, end),
        RunOutcome::Cancelled => line(ui, scene, Icon::Square, card.cancelled_title),
        RunOutcome::Interrupted => {
            let mut body = vec![card.interrupted_text];
            if end.side_effects && newest {
                body.push(card.side_effects);
            }
            show_card(
                ui,
                scene,
                Icon::Power,
                attention,
                card.interrupted_title,
                &body,
                |ui, scene| {
                    again(ui, scene, run, end, newest);
                },
            );
        }
        RunOutcome::BudgetSpent { max_steps } => {
            let title = fill(card.budget_title, &[("n", &max_steps.to_string())]);
            show_card(
                ui,
                scene,
                Icon::Gauge,
                attention,
                &title,
                &[card.budget_text],
                |ui, scene| {
                    let go_on = Button::new(card.go_on).kind(Kind::Primary);
                    if newest && go_on.show(ui, scene.palette).clicked() {
                        scene.send(UiCommand::SendText(card.go_on_text.to_owned()));
                    }
                },
            );
        }
        RunOutcome::GuardStopped { tool, times } => {
            let body = fill(
                card.guard_text,
                &[("tool", &visible::line(tool)), ("n", &times.to_string())],
            );
            show_card(
                ui,
                scene,
                Icon::Repeat,
                attention,
                card.guard_title,
                &[&body],
                |ui, scene| {
                    let write = Button::new(scene.words.commands.focus_message);
                    if newest && write.show(ui, scene.palette).clicked() {
                        scene.run(Command::FocusMessage);
                    }
                },
            );
        }
        RunOutcome::Failed { failure } => failed(ui, scene, run, end, failure, newest),
    }
}

/// A run that went well: how much it took, and a way to copy the answer.
fn done(ui: &mut Ui, scene: &mut Scene<'_>, run: &Run, end: &RunEnd) {
    let palette = scene.palette;
    let words = &scene.words.chat;
    let answer = run.steps.iter().rev().find(|step| !step.reply.is_empty());
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        if let Some(answer) = answer {
            let copy = icon_button(ui, palette, Icon::Copy, scene.words.commands.copy_reply);
            if copy.clicked() {
                scene.send(UiCommand::Copy(answer.reply.text().to_owned()));
            }
        }
        let mut parts = Vec::new();
        if run.steps.len() > 1 {
            parts.push(count(words.steps_one, words.steps_many, run.steps.len()));
        }
        parts.push(span(scene.words, end.millis));
        let tokens = end.usage.input + end.usage.cached + end.usage.output;
        if tokens > 0 {
            parts.push(fill(words.tokens, &[("n", &number(tokens))]));
        }
        let text = RichText::new(parts.join(" · "))
            .size(META)
            .color(palette.text_faint);
        ui.label(text);
    });
    ui.add_space(2.0 * STEP);
}

fn line(ui: &mut Ui, scene: &Scene<'_>, mark: Icon, text: &str) {
    ui.add_space(STEP);
    ui.horizontal(|ui| {
        ui.label(icon(mark, 13.0, scene.palette.text_faint));
        ui.label(RichText::new(text).size(ROW).color(scene.palette.text_dim));
    });
    ui.add_space(2.0 * STEP);
}

fn failed(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    run: &Run,
    end: &RunEnd,
    why: &Failure,
    newest: bool,
) {
    let title = title_of_failure(scene.words, why.kind);
    let message = visible::text(&why.to_string());
    let kept = scene.words.card.kept;
    let mut body: Vec<&str> = vec![&message];
    let done = |step: &Step| !step.calls.is_empty() || !step.reply.is_empty();
    if run.steps.iter().any(done) {
        body.push(kept);
    }
    if end.side_effects && newest {
        body.push(scene.words.card.side_effects);
    }
    let bad = scene.palette.bad;
    show_card(
        ui,
        scene,
        Icon::CircleAlert,
        bad,
        title,
        &body,
        |ui, scene| {
            let of_settings = matches!(
                why.kind,
                FailureKind::Authentication
                    | FailureKind::Settings
                    | FailureKind::ModelNotFound
                    | FailureKind::Network
            );
            if !(newest || of_settings) {
                return;
            }
            ui.horizontal(|ui| {
                again(ui, scene, run, end, newest);
                let open = Button::new(scene.words.card.open_settings);
                if of_settings && open.show(ui, scene.palette).clicked() {
                    scene.send(UiCommand::Show(Page::Settings));
                }
            });
        },
    );
}

/// The request once more: as it was when nothing can have changed, to look over otherwise.
fn again(ui: &mut Ui, scene: &mut Scene<'_>, run: &Run, end: &RunEnd, newest: bool) {
    if !newest || run.text.is_empty() {
        return;
    }
    let card = &scene.words.card;
    if end.side_effects {
        if Button::new(card.edit_again)
            .show(ui, scene.palette)
            .clicked()
        {
            scene.send(UiCommand::EditAgain(run.text.clone()));
        }
    } else if Button::new(card.again)
        .icon(Icon::RefreshCw)
        .show(ui, scene.palette)
        .clicked()
    {
        scene.send(UiCommand::SendText(run.text.clone()));
    }
}

/// A card: a mark, a title, what it means, what to do.
pub(crate) fn show_card(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    mark: Icon,
    colour: Color32,
    title: &str,
    body: &[&str],
    actions: impl FnOnce(&mut Ui, &mut Scene<'_>),
) {
    let palette = scene.palette;
    ui.add_space(2.0 * STEP);
    Frame::new()
        .fill(palette.card)
        .stroke(Stroke::new(1.0, palette.line))
        .corner_radius(CornerRadius::same(CARD_CORNER))
        .inner_margin(Margin::symmetric(14, 12))
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = 6.0;
            ui.horizontal(|ui| {
                ui.label(icon(mark, 16.0, colour));
                let title = RichText::new(title)
                    .font(fonts::semibold(TEXT))
                    .color(palette.text);
                ui.add(Label::new(title).wrap());
            });
            for line in body {
                let text = RichText::new(*line)
                    .color(palette.text_dim)
                    .line_height(Some(TEXT_LINE));
                ui.add(Label::new(text).wrap().selectable(true));
            }
            actions(ui, scene);
        });
    ui.add_space(2.0 * STEP);
}
