//! A text of any size by its lines, found once, and what of a line can be shown.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::visible;

/// The most characters of a line that are laid out.
pub const LONGEST: usize = 2_000;

/// What is shown of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The start of the line, at most [`LONGEST`] characters of it, with what would steer made visible.
    pub text: String,
    /// How many characters of the line are left out.
    pub left: usize,
}

/// A text and where its lines begin.
#[derive(Clone, Debug)]
pub struct Lines {
    text: Arc<str>,
    starts: Vec<usize>,
    widest: usize,
}

impl Lines {
    /// Finds the lines of a text. Goes through the text once; a text without characters has no lines.
    pub fn of(text: impl Into<Arc<str>>) -> Self {
        let text: Arc<str> = text.into();
        let mut starts = Vec::new();
        let mut widest = 0;
        let mut start = 0;
        for (end, _) in text.match_indices('\n') {
            starts.push(start);
            widest = widest.max(end - start);
            start = end + 1;
        }
        if start < text.len() {
            starts.push(start);
            widest = widest.max(text.len() - start);
        }
        Self {
            text,
            starts,
            widest,
        }
    }

    /// The same with lines over [`LONGEST`] characters broken, so that nothing of them is left out.
    pub fn whole(text: impl Into<Arc<str>>) -> Self {
        let mut lines = Self::of(text);
        let mut starts = Vec::with_capacity(lines.starts.len());
        for index in 0..lines.starts.len() {
            let (Some(range), Some(line)) = (lines.range(index), lines.line(index)) else {
                continue;
            };
            let breaks = line.char_indices().step_by(LONGEST).skip(1);
            starts.push(range.start);
            starts.extend(breaks.map(|(at, _)| range.start + at));
        }
        lines.starts = starts;
        lines
    }

    /// Whether a text has a line of which something would be left out.
    pub fn has_long(text: &str) -> bool {
        text.lines().any(|line| cut(line, LONGEST).1 > 0)
    }

    /// How many lines there are.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many columns the widest line may take as it is shown: never too few, at most [`LONGEST`].
    pub fn columns(&self) -> usize {
        self.widest.min(LONGEST)
    }

    /// A line without its end, counted from 0.
    pub fn line(&self, index: usize) -> Option<&str> {
        let line = self.text.get(self.range(index)?)?;
        let line = line.strip_suffix('\n').unwrap_or(line);
        Some(line.strip_suffix('\r').unwrap_or(line))
    }

    /// What is shown of a line, counted from 0.
    pub fn shown(&self, index: usize) -> Option<Shown> {
        let (start, left) = cut(self.line(index)?, LONGEST);
        Some(Shown {
            text: visible::text(start),
            left,
        })
    }

    fn range(&self, index: usize) -> Option<Range<usize>> {
        let start = *self.starts.get(index)?;
        let end = self.starts.get(index + 1).copied();
        Some(start..end.unwrap_or(self.text.len()))
    }
}

/// The first characters of a text, at most this many, and how many are left.
pub fn cut(text: &str, most: usize) -> (&str, usize) {
    if text.len() <= most {
        return (text, 0);
    }
    match text.char_indices().nth(most) {
        None => (text, 0),
        Some((at, _)) => {
            let (start, rest) = text.split_at(at);
            (start, rest.chars().count())
        }
    }
}

/// The first line of a text, at most this many characters, with a mark where something is left out.
pub fn first_line(text: &str, most: usize) -> Cow<'_, str> {
    let line = text.lines().next().unwrap_or_default();
    let (start, left) = cut(line, most);
    if left == 0 && line.len() == text.len() {
        Cow::Borrowed(start)
    } else {
        Cow::Owned(format!("{start}…"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_broken_line_is_left_out() {
        let long = "字".repeat(2 * LONGEST + 1);
        let text = format!("a\n{long}\nb\n");
        assert!(Lines::has_long(&text) && !Lines::has_long(&"x".repeat(LONGEST)));
        let lines = Lines::whole(text);
        let shown: Vec<_> = (0..lines.count())
            .filter_map(|at| lines.shown(at))
            .collect();
        assert!(shown.iter().all(|line| line.left == 0));
        let whole: String = shown.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(whole, format!("a{long}b"));
        assert_eq!(shown.len(), 5);
    }

    #[test]
    fn lines_are_what_a_reader_counts() {
        let lines = Lines::of("one\r\ntwo\n\nfour");
        let all: Vec<_> = (0..lines.count()).map(|i| lines.line(i).unwrap()).collect();
        assert_eq!(all, ["one", "two", "", "four"]);
        assert_eq!(lines.line(4), None);
        assert_eq!(Lines::of("one\n").count(), 1);
        assert_eq!(Lines::of("").count(), 0);
        assert_eq!(Lines::of("\n").line(0), Some(""));
    }

    #[test]
    fn a_line_without_end_is_cut_and_says_how_much_is_left() {
        let lines = Lines::of("字".repeat(1_000_000));
        let shown = lines.shown(0).unwrap();
        assert_eq!(shown.text.chars().count(), LONGEST);
        assert_eq!(shown.left, 1_000_000 - LONGEST);
        assert_eq!(lines.columns(), LONGEST);
    }

    #[test]
    fn what_steers_is_shown_in_a_line() {
        let lines = Lines::of("a\tb\u{202E}c");
        assert_eq!(lines.shown(0).unwrap().text, "a\tb\\u{202e}c");
    }

    #[test]
    fn ten_megabytes_keep_every_line() {
        let lines = Lines::of("0123456789abcde\n".repeat(655_360));
        assert_eq!(lines.count(), 655_360);
        assert_eq!(lines.line(655_359), Some("0123456789abcde"));
    }

    #[test]
    fn a_first_line_marks_what_it_leaves_out() {
        assert_eq!(first_line("short", 10), "short");
        assert_eq!(first_line("a\nb", 10), "a…");
        assert_eq!(first_line("abcdef", 3), "abc…");
    }
}
