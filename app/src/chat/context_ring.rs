//! How full the model's window is: a ring, and behind it the tokens.

use eframe::egui::{Grid, Popup, RichText, Sense, Stroke, Ui, vec2};
use wisp_engine::protocol::Usage;

use super::words::number;
use crate::i18n::fill;
use crate::theme::fonts;
use crate::theme::style::{META, ROW};
use crate::window::scene::Scene;

/// From this share on the ring warns.
const NEARLY_FULL: f32 = 0.8;

pub(super) fn show(ui: &mut Ui, scene: &mut Scene<'_>) {
    let Some(open) = scene.state.open_session() else {
        return;
    };
    let (last, total) = open.transcript.usage();
    let Some(last) = last else {
        return;
    };
    let held = held(last);
    let window = scene.state.model.context_tokens;
    let share = window.map(|window| share(held, window));
    let palette = scene.palette;
    let words = &scene.words.chat;
    let label = match share {
        Some(share) => fill(words.context_share, &[("n", &percent(share))]),
        None => fill(words.tokens, &[("n", &number(held))]),
    };
    let text = share.map_or_else(|| number(held), |share| format!("{} %", percent(share)));
    let button = ui
        .scope(|ui| {
            let text = RichText::new(text).size(ROW).color(palette.text_dim);
            ui.add(eframe::egui::Button::new(text).frame_when_inactive(false))
        })
        .inner;
    button.widget_info(|| {
        eframe::egui::WidgetInfo::labeled(eframe::egui::Role::Button, true, &label)
    });
    if let Some(share) = share {
        ring(ui, scene, share);
    }
    Popup::menu(&button).show(|ui| {
        ui.set_min_width(240.0);
        ui.label(
            RichText::new(words.context)
                .font(fonts::semibold(ROW))
                .color(palette.text),
        );
        let hint = match share {
            Some(_) => label.clone(),
            None => words.context_unknown.to_owned(),
        };
        ui.label(RichText::new(hint).size(META).color(palette.text_dim));
        ui.add_space(4.0);
        table(ui, scene, last, total, window);
    });
}

fn table(ui: &mut Ui, scene: &Scene<'_>, last: Usage, total: Usage, window: Option<u64>) {
    let palette = scene.palette;
    let words = &scene.words.chat;
    let dim = |text: &str| RichText::new(text).size(META).color(palette.text_dim);
    let figure = |n: u64| RichText::new(number(n)).size(META).color(palette.text);
    Grid::new("context")
        .num_columns(3)
        .spacing([20.0, 4.0])
        .show(ui, |ui| {
            ui.label("");
            ui.label(dim(words.last_request));
            ui.label(dim(words.whole_session));
            ui.end_row();
            for (name, last, total) in [
                (words.tokens_in, last.input, total.input),
                (words.tokens_cached, last.cached, total.cached),
                (words.tokens_out, last.output, total.output),
            ] {
                ui.label(dim(name));
                ui.label(figure(last));
                ui.label(figure(total));
                ui.end_row();
            }
            if let Some(window) = window {
                ui.label(dim(words.of_window));
                ui.label(figure(window));
                ui.end_row();
            }
        });
    let read = total.input + total.cached;
    if read > 0 {
        let cached = share(total.cached, read);
        let text = fill(words.cached_share, &[("n", &percent(cached))]);
        ui.label(dim(&text));
    }
}

fn ring(ui: &mut Ui, scene: &Scene<'_>, share: f32) {
    let palette = scene.palette;
    let (rect, _) = ui.allocate_exact_size(vec2(18.0, 18.0), Sense::hover());
    let center = rect.center();
    let radius = 7.0;
    let painter = ui.painter();
    painter.circle_stroke(center, radius, Stroke::new(3.0, palette.line));
    let colour = if share >= NEARLY_FULL {
        palette.attention
    } else {
        palette.accent
    };
    let steps: u8 = 40;
    let points: Vec<_> = (0..=steps)
        .map(|step| {
            let turn = share * f32::from(step) / f32::from(steps) * std::f32::consts::TAU;
            center + radius * vec2(turn.sin(), -turn.cos())
        })
        .collect();
    painter.line(points, Stroke::new(3.0, colour));
}

/// What the model's window held at a request's end.
fn held(usage: Usage) -> u64 {
    usage
        .input
        .saturating_add(usage.cached)
        .saturating_add(usage.output)
}

#[expect(clippy::cast_precision_loss, reason = "a share for the eye")]
fn share(part: u64, whole: u64) -> f32 {
    if whole == 0 {
        0.0
    } else {
        (part as f32 / whole as f32).min(1.0)
    }
}

fn percent(share: f32) -> String {
    format!("{:.0}", share * 100.0)
}
