//! Expected beside seen.

use eframe::egui::{Label, RichText, Ui, vec2};

use super::list::mark_of;
use super::parts;
use crate::chat::words::span;
use crate::i18n::{count, fill};
use crate::state::qa::LiveResult;
use crate::text::visible;
use crate::theme::fonts;
use crate::theme::icons::{Icon, icon};
use crate::theme::style::{META, ROW, TEXT};
use crate::window::scene::Scene;

/// Of a text so much is shown, in characters; the report holds all of it.
const SHOWN: usize = 600;
/// The room of the mark and of what was compared, in points.
const MARK: f32 = 22.0;
const WHAT: f32 = 120.0;

/// Draws a result.
pub(super) fn show(ui: &mut Ui, scene: &Scene<'_>, result: &LiveResult) {
    let (palette, words) = (scene.palette, &scene.words.qa);
    ui.add_space(8.0);
    let (mark, colour, word) = mark_of(scene, result);
    ui.horizontal(|ui| {
        ui.label(icon(mark, 16.0, colour));
        let text = RichText::new(word).font(fonts::semibold(TEXT));
        ui.label(text.color(colour));
        let chat = &scene.words.chat;
        let steps = count(chat.steps_one, chat.steps_many, result.steps);
        let text = format!("{steps} · {}", span(scene.words, result.millis));
        ui.label(RichText::new(text).size(META).color(palette.text_faint));
    });
    let half = ((ui.available_width() - MARK - WHAT - 24.0) / 2.0).max(80.0);
    row(ui, half, |ui, column| {
        let text = match column {
            0 => "",
            1 => words.what,
            2 => words.expected,
            _ => words.seen,
        };
        ui.label(RichText::new(text).size(META).color(palette.text_faint));
    });
    for line in &result.report.lines {
        row(ui, half, |ui, column| {
            let (text, colour) = match column {
                0 => {
                    let (mark, colour) = if line.ok {
                        (Icon::Check, palette.good)
                    } else {
                        (Icon::X, palette.bad)
                    };
                    ui.label(icon(mark, 14.0, colour));
                    return;
                }
                1 => (&line.what, palette.text_dim),
                2 => (&line.expected, palette.text),
                _ if line.ok => (&line.seen, palette.text),
                _ => (&line.seen, palette.bad),
            };
            cell(ui, text, colour);
        });
    }
    row(ui, half, |ui, column| match column {
        0 if result.violations.is_empty() => {
            ui.label(icon(Icon::Check, 14.0, palette.good));
        }
        0 => {
            ui.label(icon(Icon::X, 14.0, palette.bad));
        }
        1 => cell(ui, words.violations, palette.text_dim),
        2 => cell(ui, words.no_violations, palette.text),
        _ if result.violations.is_empty() => cell(ui, words.no_violations, palette.text),
        _ => cell(ui, &result.violations.join("\n"), palette.bad),
    });
    if let Some(picture) = &result.picture {
        let path = picture.to_string_lossy();
        parts::line(ui, scene, &fill(words.picture, &[("path", &path)]));
    }
}

/// Four columns of one row.
fn row(ui: &mut Ui, half: f32, mut add: impl FnMut(&mut Ui, usize)) {
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        for (column, width) in [MARK, WHAT, half, half].into_iter().enumerate() {
            ui.vertical(|ui| {
                ui.set_width(width);
                add(ui, column);
            });
        }
    });
    let size = vec2(ui.available_width(), 1.0);
    let (line, _) = ui.allocate_exact_size(size, eframe::egui::Sense::hover());
    let stroke = ui.visuals().widgets.noninteractive.bg_stroke;
    ui.painter().hline(line.x_range(), line.center().y, stroke);
}

fn cell(ui: &mut Ui, text: &str, colour: eframe::egui::Color32) {
    let mut short: String = text.chars().take(SHOWN).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    let text = RichText::new(visible::text(&short)).size(ROW).color(colour);
    ui.add(Label::new(text).wrap().selectable(true));
}
