//! A row of the transcript: the user's words, the model's, and the lines between them.

use std::collections::HashMap;

use eframe::egui::{
    Align, CornerRadius, Frame, Label, Layout, Margin, RichText, ScrollArea, TextureHandle, Ui,
};
use wisp_engine::protocol::{RunId, SessionId};

use super::find::FindView;
use super::rows::Row;
use super::{body, end_card, step};
use crate::commands::UiCommand;
use crate::i18n::count;
use crate::state::sessions::OpenSession;
use crate::state::transcript::{Run, Step};
use crate::text::highlight::Highlighter;
use crate::text::visible;
use crate::theme::style::{CARD_CORNER, META, STEP, TEXT_LINE};
use crate::widgets::button::{Button, Kind};
use crate::widgets::markdown::{DocumentLayout, MarkdownLook, show as show_markdown};
use crate::window::scene::Scene;

/// Of a message of the user so much is shown before it is opened, in bytes.
const SHOWN_BYTES: usize = 2_000;
/// An opened message is laid out up to so much, in bytes; the whole can be copied.
const OPENED_BYTES: usize = 200_000;
/// How high an opened long message is, in points.
const OPENED_HEIGHT: f32 = 400.0;
/// Replies whose layout is kept.
const KEPT_LAYOUTS: usize = 120;

/// What is kept of drawn replies.
#[derive(Default)]
pub(super) struct Replies {
    layouts: HashMap<(SessionId, RunId, u32), DocumentLayout>,
    highlighter: Option<Highlighter>,
    /// Long messages of the user that are open.
    opened: Vec<(SessionId, RunId)>,
    pub(super) bodies: body::Bodies,
}

impl std::fmt::Debug for Replies {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Replies")
    }
}

/// Draws one row. Gives by how much what is in sight has moved down, in points.
pub(super) fn draw_row(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    replies: &mut Replies,
    found: &FindView,
    session: &SessionId,
    open: &OpenSession,
    row: Row,
) -> f32 {
    let Some(run) = open.transcript.runs.get(row.run()) else {
        return 0.0;
    };
    let step_at = |place: usize| run.steps.get(place);
    found.mark(ui, scene, row);
    match row {
        Row::User(_) => user(ui, scene, replies, session, run),
        Row::Step(_, at) => {
            if let Some(step) = step_at(at) {
                step::line(ui, scene, run, step);
            }
        }
        Row::Narration(_, at) => {
            if let Some(step) = step_at(at) {
                return step::indented(ui, scene, |ui, scene| {
                    reply(ui, scene, replies, session, run, step)
                });
            }
        }
        Row::Call(_, at, call) => {
            if let Some((step, call)) = step_at(at).and_then(|s| Some((s, s.calls.get(call)?))) {
                step::call(ui, scene, run, step, call);
            }
        }
        Row::Body(_, at, call) => {
            if let Some((step, call)) = step_at(at).and_then(|s| Some((s, s.calls.get(call)?))) {
                step::indented(ui, scene, |ui, scene| {
                    body::show(ui, scene, &mut replies.bodies, run, step, call);
                    0.0
                });
            }
        }
        Row::Reply(_, at) => {
            if let Some(step) = step_at(at) {
                ui.add_space(2.0 * STEP);
                let shift = reply(ui, scene, replies, session, run, step);
                ui.add_space(STEP);
                return shift;
            }
        }
        Row::Notice(_, number) => {
            if let Some(notice) = run.notices.get(number) {
                end_card::notice(ui, scene, notice);
            }
        }
        Row::Status(_) => step::status(ui, scene, run),
        Row::End(_) => end_card::show(ui, scene, run, row.run() + 1 == open.transcript.runs.len()),
    }
    0.0
}

fn user(ui: &mut Ui, scene: &mut Scene<'_>, replies: &mut Replies, session: &SessionId, run: &Run) {
    let palette = scene.palette;
    ui.add_space(4.0 * STEP);
    ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
        ui.set_max_width(ui.available_width());
        Frame::new()
            .fill(palette.control)
            .corner_radius(CornerRadius::same(CARD_CORNER))
            .inner_margin(Margin::symmetric(12, 8))
            .show(ui, |ui| {
                ui.set_max_width(ui.available_width() * 0.85);
                ui.with_layout(Layout::top_down(Align::Min), |ui| {
                    words_of_user(ui, scene, replies, session, run);
                });
            });
    });
    ui.add_space(2.0 * STEP);
}

fn words_of_user(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    replies: &mut Replies,
    session: &SessionId,
    run: &Run,
) {
    let palette = scene.palette;
    let text = |words: &str| {
        RichText::new(visible::answer(words))
            .color(palette.text)
            .line_height(Some(TEXT_LINE))
    };
    if run.text.len() <= SHOWN_BYTES {
        ui.add(Label::new(text(&run.text)).wrap().selectable(true));
        return;
    }
    let key = (session.clone(), run.id.clone());
    let open = replies.opened.contains(&key);
    let most = if open { OPENED_BYTES } else { SHOWN_BYTES };
    let head = head(&run.text, most);
    if open {
        ScrollArea::vertical()
            .id_salt(&run.id)
            .max_height(OPENED_HEIGHT)
            .show(ui, |ui| {
                ui.add(Label::new(text(head)).wrap().selectable(true))
            });
    } else {
        ui.add(Label::new(text(head)).wrap().selectable(true));
    }
    let hidden = run.text.get(head.len()..).unwrap_or_default();
    if !hidden.is_empty() {
        let more = count(
            scene.words.body.more_lines,
            scene.words.body.more_lines,
            hidden.lines().count(),
        );
        ui.label(RichText::new(more).size(META).color(palette.text_dim));
    }
    ui.horizontal(|ui| {
        let label = if open {
            scene.words.common.show_less
        } else {
            scene.words.common.show_all
        };
        if Button::new(label)
            .kind(Kind::Quiet)
            .show(ui, palette)
            .clicked()
        {
            replies.opened.retain(|known| *known != key);
            if !open {
                replies.opened.push(key);
            }
        }
        if Button::new(scene.words.common.copy)
            .kind(Kind::Quiet)
            .show(ui, palette)
            .clicked()
        {
            scene.send(UiCommand::Copy(run.text.clone()));
        }
    });
}

/// The beginning of a text, at most so many bytes, cut between characters.
pub(super) fn head(text: &str, most: usize) -> &str {
    text.get(..text.floor_char_boundary(most)).unwrap_or(text)
}

/// The model's words. Gives by how much what is in sight has moved down.
fn reply(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    replies: &mut Replies,
    session: &SessionId,
    run: &Run,
    step: &Step,
) -> f32 {
    let context = ui.ctx().clone();
    let highlighter = replies
        .highlighter
        .get_or_insert_with(|| Highlighter::new(Box::new(move || context.request_repaint())));
    if replies.layouts.len() > KEPT_LAYOUTS {
        replies.layouts.clear();
    }
    let key = (session.clone(), run.id.clone(), step.number);
    let layout = replies.layouts.entry(key).or_default();
    let no_pictures = |_: &str| -> Option<TextureHandle> { None };
    let look = MarkdownLook {
        palette: scene.palette,
        words: scene.words,
        highlighter,
        pictures: &no_pictures,
    };
    let actions = show_markdown(ui, &step.reply, layout, &look);
    if let Some(address) = actions.open_link {
        scene.send(UiCommand::AskLink(address));
    }
    actions.shifted
}
