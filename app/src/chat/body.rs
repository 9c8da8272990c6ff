//! What an open call and a card hold, each in the form that fits it: a diff, a text, hits, a listing, JSON.

use std::collections::HashMap;

use eframe::egui::{Context, CornerRadius, Frame, Id, Label, Margin, RichText, Ui};
use serde_json::Value;
use wisp_engine::protocol::{
    ApprovalRequest, CallId, CallReport, CallStatus, Decision, DecisionSource, Detail, DetailLabel,
    RunId,
};

use crate::state::transcript::{Call, CallState, Run, Step};
use crate::text::diff::DiffCell;
use crate::text::hits::{Hit, HitList};
use crate::text::json::JsonTree;
use crate::text::lines::Lines;
use crate::text::listing::{Entry, EntryKind};
use crate::text::visible;
use crate::theme::style::{CONTROL_CORNER, META, ROW, STEP};
use crate::theme::tokens::Palette;
use crate::widgets::text_view::TextView;
use crate::widgets::{diff_view, hits_view, json_view, tree_view};
use crate::window::scene::Scene;

use super::opener;
use super::words::label_of_detail;

/// How high a body is at most, in points; more of it is scrolled.
const HEIGHT: f32 = 320.0;
/// Bodies whose content is kept ready.
const KEPT: usize = 40;

/// What is kept of open bodies.
#[derive(Default)]
pub(super) struct Bodies {
    made: HashMap<(RunId, u32, CallId), Body>,
}

/// What is kept of a card's content, in the order of its details.
#[derive(Default)]
pub(super) struct CardContent {
    parts: Option<Vec<Part>>,
}

/// One part of a card's content.
struct Part {
    name: PartName,
    content: Content,
}

/// What a part is.
#[derive(Clone, Copy)]
enum PartName {
    /// The change itself.
    Change,
    /// A text of the question.
    Of(DetailLabel),
    /// What goes, whole: the change shows lines that are too long for it only in part.
    Removed,
    /// What comes, whole.
    Added,
}

/// A text as a card shows it: all of it, for it is approved whole.
fn whole(text: &str) -> Content {
    Content::Text {
        lines: Lines::whole(text),
        first: 1,
    }
}

fn parts_of(context: &Context, detail: &Detail) -> Vec<Part> {
    let part = |name, content| Part { name, content };
    match detail {
        Detail::Fact { .. } => Vec::new(),
        Detail::Text { label, text } => vec![part(PartName::Of(*label), whole(text))],
        Detail::Change { old, new, lines } => {
            let change = match lines {
                Some(lines) => diff(context, &lines.old, &lines.new, lines.first),
                None => diff(context, old, new, 1),
            };
            let mut parts = vec![part(PartName::Change, change)];
            if Lines::has_long(old) || Lines::has_long(new) {
                parts.push(part(PartName::Removed, whole(old)));
                parts.push(part(PartName::Added, whole(new)));
            }
            parts
        }
    }
}

/// One call's content, for the state that it was made in.
struct Body {
    ended: bool,
    result: Option<Content>,
    arguments: Content,
}

/// Something to show.
enum Content {
    Diff(DiffCell),
    Text { lines: Lines, first: usize },
    Hits(HitList),
    Listing(Vec<Entry>),
    Json(Box<JsonTree>),
}

fn diff(context: &Context, old: &str, new: &str, first: usize) -> Content {
    let context = context.clone();
    Content::Diff(DiffCell::new(old, new, first, move || {
        context.request_repaint();
    }))
}

fn text(text: &str, first: usize) -> Content {
    Content::Text {
        lines: Lines::of(text),
        first,
    }
}

fn json(value: Value) -> Content {
    Content::Json(Box::new(JsonTree::of(value)))
}

impl Body {
    fn of(context: &Context, call: &Call) -> Self {
        let report = match &call.state {
            CallState::Ended(report) => Some(report),
            _ => None,
        };
        let arguments: Option<Value> = serde_json::from_str(&call.arguments).ok();
        let changed = (arguments.as_ref()).and_then(|values| change(context, &call.tool, values));
        let query = (arguments.as_ref()).and_then(|values| values.get("query")?.as_str());
        let given = report.and_then(|report| report.result.as_ref());
        let result = given.map(|given| result(given, query.unwrap_or_default()));
        Self {
            ended: report.is_some(),
            result: changed.or(result),
            arguments: match arguments {
                Some(values) => json(values),
                None => text(&call.arguments, 1),
            },
        }
    }
}

/// What a call that changes a file changes in it, from its arguments.
fn change(context: &Context, tool: &str, arguments: &Value) -> Option<Content> {
    let of = |key: &str| arguments.get(key).and_then(Value::as_str);
    match tool {
        "files_replace" => {
            // Pieces of lines: that they end without a line end says nothing.
            let (old, new) = (of("oldText")?, of("newText")?);
            Some(diff(context, &format!("{old}\n"), &format!("{new}\n"), 1))
        }
        "files_write" => Some(text(of("content")?, 1)),
        _ => None,
    }
}

/// A result in the form that fits it; JSON is the form of all others.
fn result(result: &Value, query: &str) -> Content {
    let list = |key: &str| result.get(key).and_then(Value::as_array);
    let of = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let number = |value: &Value, key: &str| value.get(key).and_then(Value::as_u64);
    let place = |value: &Value, key: &str| number(value, key).and_then(|n| usize::try_from(n).ok());
    if let Some(hits) = list("hits") {
        let with_lines = hits
            .iter()
            .all(|hit| hit.get("line").is_some_and(Value::is_u64));
        if with_lines && !hits.is_empty() {
            let hits = hits.iter().map(|hit| Hit {
                path: of(hit, "path").unwrap_or_default(),
                line: place(hit, "line").unwrap_or(1),
                snippet: of(hit, "snippet").unwrap_or_default(),
            });
            return Content::Hits(HitList::of(hits.collect(), query));
        }
        return Content::Listing(entries(hits, "path"));
    }
    if let Some(list) = list("entries") {
        return Content::Listing(entries(list, "name"));
    }
    if let Some(tabs) = list("tabs") {
        return Content::Listing(tabs.iter().map(tab).collect());
    }
    match of(result, "text") {
        Some(words) => text(&words, place(result, "startLine").unwrap_or(1)),
        None => json(result.clone()),
    }
}

/// A tab as a row: its title, and where it is.
fn tab(tab: &Value) -> Entry {
    let of = |key: &str| tab.get(key).and_then(Value::as_str).unwrap_or_default();
    let place = if of("url").is_empty() {
        of("path")
    } else {
        of("url")
    };
    let path = if place.is_empty() || place == of("title") {
        of("title").to_owned()
    } else {
        format!("{} · {place}", of("title"))
    };
    let kind = if of("kind") == "directory" {
        EntryKind::Folder
    } else {
        EntryKind::File
    };
    Entry {
        path,
        kind,
        bytes: None,
    }
}

fn entries(list: &[Value], name: &str) -> Vec<Entry> {
    let of = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    list.iter()
        .map(|entry| Entry {
            path: of(entry, name).unwrap_or_default(),
            kind: match of(entry, "kind").as_deref() {
                Some("directory" | "folder" | "dir") => EntryKind::Folder,
                _ => EntryKind::File,
            },
            bytes: entry.get("bytes").and_then(Value::as_u64),
        })
        .collect()
}

/// Draws an open call: what it was answered, what it gave, what it was asked with.
pub(super) fn show(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    bodies: &mut Bodies,
    run: &Run,
    step: &Step,
    call: &Call,
) {
    let key = (run.id.clone(), step.number, call.id.clone());
    let ended = matches!(call.state, CallState::Ended(_));
    if bodies.made.get(&key).is_none_or(|body| body.ended != ended) {
        if bodies.made.len() >= KEPT {
            bodies.made.clear();
        }
        let body = Body::of(ui.ctx(), call);
        bodies.made.insert(key.clone(), body);
    }
    let Some(body) = bodies.made.get_mut(&key) else {
        return;
    };
    let id = Id::unique(("body", &key));
    let words = &scene.words.chat;
    ui.spacing_mut().item_spacing.y = STEP;
    if let Some((Decision::Deny { reason }, DecisionSource::User)) = &call.decision {
        let reason = reason.as_deref().unwrap_or(words.you_denied);
        fact(
            ui,
            scene.palette,
            words.reason,
            reason,
            scene.palette.attention,
        );
    }
    if let CallState::Ended(report) = &call.state {
        outcome(ui, scene, report);
    }
    opener::buttons(ui, scene, run, step, call);
    let base = (call.tool == "files_list")
        .then(|| call.opens.as_ref().map(|opens| opens.path.as_str()))
        .flatten();
    if let Some(content) = &mut body.result
        && let Some((path, line)) = content_ui(ui, scene, id.with("result"), content, HEIGHT)
    {
        opener::found(scene, base, &path, line);
    }
    ui.label(
        RichText::new(words.arguments)
            .size(META)
            .color(scene.palette.text_faint),
    );
    content_ui(ui, scene, id.with("arguments"), &mut body.arguments, HEIGHT);
    ui.add_space(2.0 * STEP);
}

fn outcome(ui: &mut Ui, scene: &Scene<'_>, report: &CallReport) {
    let words = &scene.words.chat;
    // Of a denial the person knows more than the model was told.
    let denied = report.status == CallStatus::Denied;
    if let Some(error) = report.error.as_ref().filter(|_| !denied) {
        fact(
            ui,
            scene.palette,
            words.failed,
            &error.message,
            scene.palette.bad,
        );
    }
    if let Some(note) = &report.note {
        fact(ui, scene.palette, words.note, note, scene.palette.text_dim);
    }
    let cut = report
        .result
        .as_ref()
        .and_then(|result| result.get("truncated"));
    if cut.and_then(Value::as_bool) == Some(true) {
        let text = RichText::new(scene.words.body.truncated)
            .size(META)
            .color(scene.palette.attention);
        ui.label(text);
    }
}

/// A short text with what it is before it.
fn fact(ui: &mut Ui, palette: &Palette, what: &str, value: &str, colour: eframe::egui::Color32) {
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(what).size(ROW).color(palette.text_faint));
        let value = RichText::new(visible::text(value)).size(ROW).color(colour);
        ui.add(Label::new(value).wrap().selectable(true));
    });
}

/// Draws a content. Gives the path in it that was chosen, and the line.
fn content_ui(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    id: Id,
    content: &mut Content,
    height: f32,
) -> Option<(String, Option<usize>)> {
    let (palette, words) = (scene.palette, scene.words);
    let mut chosen = None;
    Frame::new()
        .fill(palette.code)
        .corner_radius(CornerRadius::same(CONTROL_CORNER))
        .inner_margin(Margin::symmetric(0, 4))
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            match content {
                Content::Diff(cell) => match cell.get() {
                    Some(diff) => diff_view::ui(ui, palette, words, id, diff, height),
                    None => {
                        ui.label(RichText::new(words.common.loading).color(palette.text_dim));
                    }
                },
                Content::Text { lines, first } => {
                    TextView::new(id, lines, height)
                        .numbers_from(*first)
                        .ui(ui, palette, words);
                }
                Content::Hits(hits) => {
                    let hit = hits_view::ui(ui, palette, words, id, hits, height);
                    chosen = hit.map(|hit| (hit.path, Some(hit.line)));
                }
                Content::Listing(entries) => {
                    let entry = tree_view::ui(ui, palette, words, id, entries, height);
                    chosen = entry
                        .and_then(|at| entries.get(at))
                        .map(|entry| (path_of(entry), None));
                }
                Content::Json(tree) => json_view::ui(ui, palette, words, id, tree, height),
            }
        });
    chosen
}

/// A folder's ends as one.
fn path_of(entry: &Entry) -> String {
    match entry.kind {
        EntryKind::Folder => format!("{}/", entry.path.trim_end_matches('/')),
        EntryKind::File => entry.path.clone(),
    }
}

/// Draws a card's content, at most so high: the change or the text, whole.
pub(super) fn card_content(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    content: &mut CardContent,
    request: &ApprovalRequest,
    height: f32,
) {
    let waker = ui.ctx().clone();
    let parts = content.parts.get_or_insert_with(|| {
        let details = request.details.iter();
        details
            .flat_map(|detail| parts_of(&waker, detail))
            .collect()
    });
    #[expect(clippy::cast_precision_loss, reason = "a card has a handful of parts")]
    let each = height / parts.len().max(1) as f32;
    let several = parts.len() > 1;
    for (at, part) in parts.iter_mut().enumerate() {
        let name = match part.name {
            PartName::Change => None,
            PartName::Of(label) => Some(label_of_detail(scene.words, label)),
            PartName::Removed => Some(scene.words.body.removed),
            PartName::Added => Some(scene.words.body.added),
        };
        if let Some(name) = name.filter(|_| several) {
            let name = RichText::new(name)
                .size(META)
                .color(scene.palette.text_faint);
            Frame::new()
                .inner_margin(Margin::symmetric(12, 2))
                .show(ui, |ui| ui.label(name));
        }
        let id = Id::unique(("card", &request.id, at));
        content_ui(ui, scene, id, &mut part.content, each);
    }
}

/// The lines that a card's change adds and takes away, once they are counted.
pub(super) fn counted(content: &CardContent) -> Option<(usize, usize)> {
    let parts = content.parts.as_ref()?;
    let diffs = parts.iter().filter_map(|part| match &part.content {
        Content::Diff(cell) => cell.get(),
        _ => None,
    });
    diffs
        .map(|diff| (diff.added, diff.removed))
        .reduce(|sum, next| (sum.0 + next.0, sum.1 + next.1))
}
