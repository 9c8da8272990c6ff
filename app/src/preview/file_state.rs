//! What is only on screen of a file: its rows, what is chosen, what is looked for.

use std::ops::Range;
use std::sync::Arc;

use wisp_engine::protocol::Preview;

use super::view::FileWish;
use crate::text::finder::Finder;
use crate::text::highlight::{Highlighter, Spans};
use crate::text::pages::Pages;
use crate::widgets::file_view::Choice;

/// How much of a text is looked through in a frame, in bytes: a few milliseconds.
const PIECE: usize = 4_000_000;

/// It.
#[derive(Default)]
pub(super) struct FileState {
    /// What the rows were made of.
    of: Option<Arc<Preview>>,
    pub(super) pages: Option<Pages>,
    spans: Option<Arc<Spans>>,
    pub(super) choice: Choice,
    pub(super) find: Option<Find>,
    /// What is typed as a line to go to, while that is asked.
    pub(super) line: Option<String>,
    pub(super) focus_bar: bool,
    /// Whether the field of a bar had the keyboard in the last frame.
    pub(super) bar_has_focus: bool,
    /// A line that was asked for, counted from 1.
    pub(super) goal: Option<usize>,
    /// How many lines there are to go to.
    pub(super) lines: usize,
    pub(super) reveal: Option<usize>,
    pub(super) marked: Option<usize>,
    /// The colours of a text that is being changed, as they were known last.
    pub(super) edit_spans: Option<Arc<Spans>>,
}

/// A search.
#[derive(Default)]
pub(super) struct Find {
    pub(super) words: String,
    pub(super) finder: Finder,
    pub(super) current: Option<usize>,
    /// Which state of the text was looked through.
    of: u64,
}

impl FileState {
    /// Makes the rows of what was read, when it is something else than before.
    pub(super) fn follow(&mut self, what: &Arc<Preview>) {
        if self.of.as_ref().is_some_and(|of| Arc::ptr_eq(of, what)) {
            return;
        }
        self.of = Some(Arc::clone(what));
        self.spans = None;
        self.marked = None;
        self.pages = match &**what {
            Preview::Text(text) => Some(Pages::of(text.text.as_str())),
            _ => None,
        };
        let length = self.pages.as_ref().map_or(0, |pages| pages.text().len());
        if self.choice.range().end > length {
            self.choice = Choice::default();
        }
        // Looked through anew, from where the reader is.
        if let Some(find) = &mut self.find {
            find.finder = Finder::default();
            find.current = None;
        }
    }

    /// The colours of the text, once they are known.
    pub(super) fn spans(
        &mut self,
        highlighter: &Highlighter,
        language: &str,
    ) -> Option<Arc<Spans>> {
        if self.spans.is_none() {
            let text = self.pages.as_ref()?.text();
            self.spans = highlighter.request(language, text);
        }
        self.spans.clone()
    }

    /// Opens the search with what is chosen as its words, when that is on one line.
    pub(super) fn open_find(&mut self) {
        self.focus_bar = true;
        self.line = None;
        let chosen = (self.pages.as_ref())
            .and_then(|pages| pages.text().get(self.choice.range()))
            .filter(|text| !text.is_empty() && text.len() < 200 && !text.contains('\n'));
        let find = self.find.get_or_insert_default();
        if let Some(chosen) = chosen {
            chosen.clone_into(&mut find.words);
        }
    }

    /// Looks on for the words in the text, whose state has this number: another one is looked through anew. Tells
    /// whether there is more to look through.
    pub(super) fn look(&mut self, text: &str, state: u64) -> bool {
        let Some(find) = &mut self.find else {
            return false;
        };
        let other_words = find.finder.words() != find.words;
        let from = match find.found() {
            Some(found) if !other_words => found.start,
            _ => self.choice.range().start,
        };
        if other_words || find.of != state {
            find.restart();
            find.of = state;
        }
        find.finder.step(text, PIECE);
        if find.current.is_none() && !find.finder.found().is_empty() {
            // From where the reader is, as soon as it is known what is there.
            if find.finder.is_done() || find.finder.found().iter().any(|found| found.end > from) {
                find.current = find.finder.from(from);
                // Whoever changes the text is not to be taken elsewhere by it.
                if other_words {
                    self.reveal_found();
                }
            }
        }
        self.find
            .as_ref()
            .is_some_and(|find| !find.finder.is_done())
    }

    /// Goes to the next or the previous place.
    pub(super) fn step(&mut self, forward: bool) {
        let Some(find) = &mut self.find else {
            self.open_find();
            return;
        };
        let all = find.finder.found().len();
        if all == 0 {
            return;
        }
        find.current = Some(match (find.current, forward) {
            (None, _) => 0,
            (Some(at), true) => (at + 1) % all,
            (Some(at), false) => (at + all - 1) % all,
        });
        self.reveal_found();
    }

    fn reveal_found(&mut self) {
        if let Some(found) = self.find.as_ref().and_then(Find::found) {
            self.reveal = Some(found.start);
        }
    }

    /// Does what was asked for by a command.
    pub(super) fn obey(&mut self, wish: Option<FileWish>) {
        match wish {
            Some(FileWish::Find) => self.open_find(),
            Some(FileWish::Next(forward)) => self.step(forward),
            Some(FileWish::Line) => {
                self.line = Some(String::new());
                self.focus_bar = true;
            }
            None => {}
        }
    }

    /// Goes to a line, counted from 1; past the end to the last one.
    pub(super) fn go_to(&mut self, line: usize) {
        if let Some(pages) = &self.pages {
            let line = line.clamp(1, pages.lines()) - 1;
            let place = pages.range(pages.row_of_line(line)).start;
            self.reveal = Some(place);
            self.marked = Some(line);
            self.choice = Choice {
                from: place,
                to: place,
            };
        }
    }
}

impl Find {
    /// The place that is looked at.
    pub(super) fn found(&self) -> Option<&Range<usize>> {
        self.finder.found().get(self.current?)
    }

    fn restart(&mut self) {
        self.finder = Finder::of(&self.words);
        self.current = None;
    }
}

/// The language of a file as the grammars know it: its ending, or its whole name where it has none.
pub(super) fn language_of(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(_, end)| end)
}

#[cfg(test)]
mod tests {
    use wisp_engine::protocol::{PreviewLineEnds, PreviewText};

    use super::*;

    fn state(text: &str) -> FileState {
        let mut state = FileState::default();
        state.follow(&read(text));
        state
    }

    fn read(text: &str) -> Arc<Preview> {
        Arc::new(Preview::Text(PreviewText {
            text: text.to_owned(),
            bytes: 0,
            sha256: String::new(),
            bom: false,
            ends: PreviewLineEnds::Lf,
            read_only: false,
        }))
    }

    #[test]
    fn a_search_begins_at_what_is_chosen_and_goes_round() {
        const TEXT: &str = "date x date y date";
        let mut state = state(TEXT);
        state.choice = Choice { from: 7, to: 11 };
        state.open_find();
        assert!(!state.look(TEXT, 0));
        let current = |state: &FileState| state.find.as_ref().unwrap().current;
        assert_eq!((current(&state), state.reveal), (Some(1), Some(7)));
        state.step(true);
        state.step(true);
        assert_eq!((current(&state), state.reveal), (Some(0), Some(0)));
        state.step(false);
        assert_eq!(current(&state), Some(2));
        state.follow(&read("no such word"));
        state.look("no such word", 0);
        assert_eq!(current(&state), None);
    }

    #[test]
    fn a_change_of_the_text_takes_nobody_elsewhere() {
        let mut state = state("a b a");
        state.open_find();
        state.find.as_mut().unwrap().words = "a".to_owned();
        state.look("a b a", 0);
        state.step(true);
        assert_eq!(state.reveal.take(), Some(4));
        state.look("a b a a", 1);
        let find = state.find.as_ref().unwrap();
        assert_eq!(find.found(), Some(&(4..5)));
        assert_eq!((find.finder.found().len(), state.reveal), (3, None));
    }

    #[test]
    fn a_line_past_the_end_is_the_last_one() {
        let mut state = state("a\nb\nc");
        state.go_to(99);
        assert_eq!((state.reveal, state.marked), (Some(4), Some(2)));
        state.go_to(0);
        assert_eq!(state.marked, Some(0));
    }

    #[test]
    fn a_language_is_known_by_the_name() {
        assert_eq!(language_of("src/a.rs"), "rs");
        assert_eq!(language_of("src/Makefile"), "Makefile");
        assert_eq!(language_of("a.b/c"), "c");
    }
}
