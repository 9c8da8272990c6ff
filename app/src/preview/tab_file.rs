//! A file: a text to read and to change, a picture, or why it is neither.

use std::sync::Arc;

use eframe::egui::{Frame, Id, Ui};
use wisp_engine::protocol::{Preview, PreviewKind, TabId};

use super::file_state::{FileState, language_of};
use super::view::PreviewView;
use super::{editor, file_bar, message, picture};
use crate::commands::{TabCommand, UiCommand};
use crate::i18n::fill;
use crate::state::tabs::{FileTab, Shown};
use crate::text::highlight::Highlighter;
use crate::text::listing::size;
use crate::text::pages::Pages;
use crate::theme::icons::Icon;
use crate::widgets::file_view::FileView;
use crate::window::scene::Scene;

/// Draws it. `focus`: gives it the keyboard. Tells whether it took it, which it can't before it is read.
pub(super) fn show(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    view: &mut PreviewView,
    id: &TabId,
    file: &mut FileTab,
    focus: bool,
) -> bool {
    let wish = view.wish.take();
    let (highlighter, mut state) = take(ui, view, id);
    file_bar::header(ui, scene, id, file, &mut state);
    match file.shown.clone() {
        Shown::Nothing | Shown::Reading => message::loading(ui, scene),
        Shown::Failed(failure) => {
            let words = &scene.words.preview;
            let text = failure.to_string();
            let retry = Some(scene.words.common.retry);
            if message::show(ui, scene, Icon::FileX, words.failed, &text, retry) {
                scene.send(UiCommand::Tab(TabCommand::Reload(id.clone())));
            }
        }
        Shown::Read { what, .. } => match &*what {
            Preview::Text(_) if file.edit.is_some() => {
                state.obey(wish);
                editor::show(ui, scene, &highlighter, id, file, &mut state, focus);
            }
            Preview::Text(_) => {
                state.follow(&what);
                state.obey(wish);
                text(ui, scene, &highlighter, id, file, &mut state, focus);
            }
            Preview::Picture(_) => picture::show(ui, scene, view, id, &what, focus),
            other => explain(ui, scene, other),
        },
    }
    view.files.insert(id.clone(), state);
    !matches!(file.shown, Shown::Nothing | Shown::Reading)
}

fn take(ui: &Ui, view: &mut PreviewView, id: &TabId) -> (Highlighter, FileState) {
    let context = ui.ctx().clone();
    let highlighter = view
        .highlighter
        .get_or_insert_with(|| Highlighter::new(Box::new(move || context.request_repaint())));
    let highlighter = highlighter.clone();
    (highlighter, view.files.remove(id).unwrap_or_default())
}

fn text(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    highlighter: &Highlighter,
    id: &TabId,
    file: &mut FileTab,
    state: &mut FileState,
    focus: bool,
) {
    state.edit_spans = None;
    state.lines = state.pages.as_ref().map_or(1, Pages::lines);
    let to_text = file_bar::bars(ui, scene, state);
    if let Some(line) = file.go_to.take().or(state.goal.take()) {
        state.go_to(line);
    }
    let whole = state.pages.as_ref().map(|pages| Arc::clone(pages.text()));
    if whole.is_some_and(|text| state.look(&text, 0)) {
        ui.request_repaint();
    }
    let spans = state.spans(highlighter, language_of(&file.path));
    let Some(pages) = &state.pages else { return };
    let find = state.find.as_ref();
    let shown = FileView {
        id: Id::unique(("file", id)),
        pages,
        spans: spans.as_deref(),
        found: find.map_or(&[], |find| find.finder.found()),
        current: find.and_then(|find| find.current),
        reveal: state.reveal.take(),
        marked: state.marked,
    };
    let palette = scene.palette;
    let response = Frame::new()
        .fill(palette.code)
        .show(ui, |ui| {
            shown.show(ui, palette, scene.words, &mut state.choice)
        })
        .inner;
    if focus || to_text {
        response.request_focus();
    }
}

/// Why there is nothing to read.
fn explain(ui: &mut Ui, scene: &Scene<'_>, what: &Preview) {
    let words = &scene.words.preview;
    let (icon, text) = match what {
        Preview::Binary { bytes, seems } => (
            Icon::FileX,
            fill(words.binary, &[("what", seems), ("size", &size(*bytes))]),
        ),
        Preview::TooLarge {
            bytes,
            most,
            picture,
        } => {
            let sentence = if *picture {
                words.too_large_picture
            } else {
                words.too_large_text
            };
            let values = [("size", &*size(*bytes)), ("most", &*size(*most))];
            (Icon::FileX, fill(sentence, &values))
        }
        Preview::Special(PreviewKind::Link) => (Icon::Link2, words.link.to_owned()),
        Preview::Special(_) => (Icon::FileX, words.special.to_owned()),
        Preview::Folder(_) => (Icon::Folder, words.is_folder.to_owned()),
        Preview::Text(_) | Preview::Picture(_) => return,
    };
    message::show(ui, scene, icon, "", &text, None);
}

/// Whether what was decoded is what is shown.
pub(super) fn is_of(decoded: &Arc<Preview>, shown: &Arc<Preview>) -> bool {
    Arc::ptr_eq(decoded, shown)
}
