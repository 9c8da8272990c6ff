//! What changes between two texts, line by line and inside lines, ready to be shown row by row.

use std::ops::Range;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use similar::{ChangeTag, DiffOp, DiffTag, InlineChangeOptions, TextDiff};

use super::lines::LONGEST;
use super::visible;

/// How many unchanged lines stand around a change.
const CONTEXT: usize = 3;
/// After this the rest is compared roughly, so that two large texts never stall.
const DEADLINE: Duration = Duration::from_millis(400);
/// The largest change, in bytes of both sides, whose words are compared.
const WORDS_OF_CHANGE: usize = 8 * 1024;
/// The most bytes whose words are compared in all.
const WORDS_IN_ALL: usize = 128 * 1024;
/// The largest texts that are compared at once, in bytes of both.
const AT_ONCE_BYTES: usize = 20 * 1024;
/// The same, in lines of both.
const AT_ONCE_LINES: usize = 1_000;

/// Whether a line stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// It is in both texts.
    Same,
    /// It is only in the old text.
    Removed,
    /// It is only in the new text.
    Added,
}

/// How a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// With a line feed.
    Feed,
    /// With a carriage return, alone or before a line feed.
    Return,
    /// It doesn't: the text ends in it.
    Nothing,
}

/// A line of a diff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffLine {
    /// Whether it stays.
    pub kind: LineKind,
    /// Its number in the old text, from 1.
    pub old_no: Option<usize>,
    /// Its number in the new text, from 1.
    pub new_no: Option<usize>,
    /// What is shown of it, at most [`LONGEST`] characters, with what would steer made visible.
    pub text: String,
    /// How many of its characters are left out.
    pub left: usize,
    /// The bytes of `text` that changed within the line, in order.
    pub words: Vec<Range<usize>>,
    /// How it ends.
    pub end: LineEnd,
}

/// A row of a diff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiffRow {
    /// This many unchanged lines, not shown.
    Folded(usize),
    /// A line.
    Line(DiffLine),
}

/// The difference of two texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff {
    /// What is shown, from top to bottom: changes with three unchanged lines around, the rest folded.
    pub rows: Vec<DiffRow>,
    /// How many lines were added.
    pub added: usize,
    /// How many lines were removed.
    pub removed: usize,
    /// The columns that the widest line takes; a wide character counts as two.
    pub columns: usize,
    /// The greatest line number.
    pub greatest: usize,
    /// Whether a line is cut or ends otherwise than with a line feed.
    pub notes: bool,
}

impl Diff {
    /// Compares two texts. A new file has no old text: all of it is added. Takes at most about a second.
    pub fn of(old: &str, new: &str) -> Self {
        let compared = TextDiff::configure().timeout(DEADLINE).diff_lines(old, new);
        let mut diff = Self {
            greatest: compared.old_len().max(compared.new_len()),
            ..Self::default()
        };
        let mut words_left = WORDS_IN_ALL;
        let mut at = 0;
        for group in compared.grouped_ops(CONTEXT) {
            for op in &group {
                diff.fold(op.old_range().start.saturating_sub(at));
                diff.change(&compared, op, &mut words_left);
                at = op.old_range().end;
            }
        }
        diff.fold(compared.old_len().saturating_sub(at));
        diff
    }

    /// Whether the texts are the same.
    pub fn is_empty(&self) -> bool {
        self.added == 0 && self.removed == 0
    }

    fn fold(&mut self, lines: usize) {
        if lines > 0 {
            self.rows.push(DiffRow::Folded(lines));
        }
    }

    fn change(&mut self, compared: &TextDiff<'_, '_, str>, op: &DiffOp, words_left: &mut usize) {
        let size = bytes(compared, op);
        let by_words =
            op.tag() == DiffTag::Replace && size <= WORDS_OF_CHANGE && size <= *words_left;
        if by_words {
            *words_left -= size;
            let mut options = InlineChangeOptions::new();
            options.semantic_cleanup(true);
            for change in compared.iter_inline_changes_with_options(op, options) {
                let indices = (change.old_index(), change.new_index());
                self.line(change.tag(), indices, change.values());
            }
        } else {
            for change in compared.iter_changes(op) {
                let indices = (change.old_index(), change.new_index());
                self.line(change.tag(), indices, &[(false, change.value())]);
            }
        }
    }

    fn line(
        &mut self,
        tag: ChangeTag,
        (old, new): (Option<usize>, Option<usize>),
        values: &[(bool, &str)],
    ) {
        let kind = match tag {
            ChangeTag::Equal => LineKind::Same,
            ChangeTag::Delete => LineKind::Removed,
            ChangeTag::Insert => LineKind::Added,
        };
        self.added += usize::from(kind == LineKind::Added);
        self.removed += usize::from(kind == LineKind::Removed);
        let line = DiffLine::of(kind, old, new, values);
        self.notes |= line.left > 0 || line.end != LineEnd::Feed;
        let columns = line.text.chars().map(|c| 1 + usize::from(!c.is_ascii()));
        self.columns = self.columns.max(columns.sum());
        self.rows.push(DiffRow::Line(line));
    }
}

/// The bytes that a change spans on both sides.
fn bytes(compared: &TextDiff<'_, '_, str>, op: &DiffOp) -> usize {
    let old = op
        .old_range()
        .filter_map(|i| compared.old_slice(i))
        .map(str::len);
    let new = op
        .new_range()
        .filter_map(|i| compared.new_slice(i))
        .map(str::len);
    old.chain(new).sum()
}

impl DiffLine {
    fn of(kind: LineKind, old: Option<usize>, new: Option<usize>, values: &[(bool, &str)]) -> Self {
        let end = match values.last().and_then(|(_, value)| value.chars().last()) {
            Some('\r') => LineEnd::Return,
            Some('\n') if ends_with_return(values) => LineEnd::Return,
            Some('\n') => LineEnd::Feed,
            _ => LineEnd::Nothing,
        };
        let mut text = String::new();
        let mut words: Vec<Range<usize>> = Vec::new();
        let (mut room, mut left) = (LONGEST, 0);
        for (changed, value) in values {
            let value = value.trim_end_matches(['\r', '\n']);
            let length = value.chars().count();
            let start = text.len();
            if length <= room {
                text.push_str(&visible::text(value));
            } else {
                let part: String = value.chars().take(room).collect();
                text.push_str(&visible::text(&part));
            }
            left += length.saturating_sub(room);
            room = room.saturating_sub(length);
            if *changed && start < text.len() {
                match words.last_mut() {
                    Some(last) if last.end == start => last.end = text.len(),
                    _ => words.push(start..text.len()),
                }
            }
        }
        Self {
            kind,
            old_no: old.map(|index| index + 1),
            new_no: new.map(|index| index + 1),
            text,
            left,
            words,
            end,
        }
    }
}

fn ends_with_return(values: &[(bool, &str)]) -> bool {
    let mut from_end = values.iter().rev().flat_map(|(_, v)| v.chars().rev());
    from_end.next() == Some('\n') && from_end.next() == Some('\r')
}

/// A diff that is computed once: at once when it is small, on a thread of its own when it is large.
#[derive(Clone, Debug)]
pub struct DiffCell {
    diff: Arc<OnceLock<Diff>>,
}

impl DiffCell {
    /// Begins to compare. `wake` is called from the thread when a large comparison is done, and not at all
    /// when [`Self::get`] has the diff already.
    pub fn new(
        old: impl Into<Arc<str>>,
        new: impl Into<Arc<str>>,
        wake: impl FnOnce() + Send + 'static,
    ) -> Self {
        let (old, new): (Arc<str>, Arc<str>) = (old.into(), new.into());
        let cell = Self {
            diff: Arc::new(OnceLock::new()),
        };
        if is_small(&old, &new) {
            cell.diff.get_or_init(|| Diff::of(&old, &new));
            return cell;
        }
        let diff = Arc::clone(&cell.diff);
        let (thread_old, thread_new) = (Arc::clone(&old), Arc::clone(&new));
        let started = std::thread::Builder::new()
            .name("diff".to_owned())
            .spawn(move || {
                diff.get_or_init(|| Diff::of(&thread_old, &thread_new));
                wake();
            });
        if started.is_err() {
            // Better a late frame than a change that nobody can see.
            cell.diff.get_or_init(|| Diff::of(&old, &new));
        }
        cell
    }

    /// The diff, once it is there.
    pub fn get(&self) -> Option<&Diff> {
        self.diff.get()
    }
}

fn is_small(old: &str, new: &str) -> bool {
    let lines = |text: &str| text.bytes().filter(|byte| *byte == b'\n').count();
    old.len() + new.len() < AT_ONCE_BYTES && lines(old) + lines(new) < AT_ONCE_LINES
}

#[cfg(test)]
mod tests;
