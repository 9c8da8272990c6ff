//! Words found in a text of any size, a piece at a time, so that nobody waits for the end of it.

use std::ops::Range;

/// Places that are kept; more are not looked for.
pub const MOST_FOUND: usize = 10_000;

/// A search that goes on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finder {
    words: String,
    /// Whether capitals are as small letters: when the words have no capital.
    any_case: bool,
    at: usize,
    done: bool,
    found: Vec<Range<usize>>,
}

impl Finder {
    /// For these words. Without a capital among them capitals don't matter (of the Latin alphabet's letters).
    pub fn of(words: &str) -> Self {
        Self {
            any_case: !words.chars().any(char::is_uppercase),
            words: words.to_owned(),
            done: words.is_empty(),
            ..Self::default()
        }
    }

    /// The words.
    pub fn words(&self) -> &str {
        &self.words
    }

    /// The places so far, in order.
    pub fn found(&self) -> &[Range<usize>] {
        &self.found
    }

    /// Whether the whole text has been looked through, or as much of it as is looked for.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Whether there may be more places than are kept.
    pub fn is_full(&self) -> bool {
        self.found.len() >= MOST_FOUND
    }

    /// Goes on through so many bytes of the text. It must be the same text each time.
    pub fn step(&mut self, text: &str, bytes: usize) {
        if self.done {
            return;
        }
        let end = self.at.saturating_add(bytes).min(text.len());
        let words = self.words.as_bytes();
        while self.at < end && !self.is_full() {
            // The start may be before the end of this piece, and the words go on behind it.
            match next(text.as_bytes(), words, self.at, end, self.any_case) {
                Some(place) => {
                    self.found.push(place..place + words.len());
                    self.at = place + words.len();
                }
                None => self.at = end,
            }
        }
        self.done = self.at >= text.len() || self.is_full();
    }

    /// The first place that ends after this one, or the first of all; by its number.
    pub fn from(&self, place: usize) -> Option<usize> {
        if self.found.is_empty() {
            return None;
        }
        let number = self.found.partition_point(|found| found.end <= place);
        Some(number % self.found.len())
    }
}

/// The first place of the words that begins in `from..end`. What begins as UTF-8 is cut as UTF-8: the words are.
fn next(text: &[u8], words: &[u8], from: usize, end: usize, any_case: bool) -> Option<usize> {
    let (&first, _) = words.split_first()?;
    let other = if any_case {
        first.to_ascii_uppercase()
    } else {
        first
    };
    let mut at = from;
    loop {
        let piece = text.get(at..end)?;
        at += piece
            .iter()
            .position(|byte| *byte == first || *byte == other)?;
        let here = text.get(at..at + words.len())?;
        let same = if any_case {
            here.eq_ignore_ascii_case(words)
        } else {
            here == words
        };
        if same {
            return Some(at);
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str, words: &str, bytes: usize) -> Vec<usize> {
        let mut finder = Finder::of(words);
        let mut steps = 0;
        while !finder.is_done() {
            finder.step(text, bytes);
            steps += 1;
            assert!(steps < 10_000, "it comes to an end");
        }
        finder.found().iter().map(|found| found.start).collect()
    }

    #[test]
    fn words_are_found_across_pieces_and_without_regard_to_capitals() {
        let text = "Date date DATE, dates";
        for bytes in [1, 3, 1_000] {
            assert_eq!(all(text, "date", bytes), [0, 5, 10, 16], "{bytes}");
            assert_eq!(all(text, "Date", bytes), [0], "{bytes}");
        }
        assert_eq!(all("aaaa", "aa", 2), [0, 2]);
        assert_eq!(all("日期和日期", "日期", 4), [0, 9]);
        assert!(all(text, "", 5).is_empty() && all("", "a", 5).is_empty());
        assert!(all("ab", "abc", 5).is_empty());
    }

    #[test]
    fn the_next_place_is_after_the_last_one_and_then_the_first() {
        let mut finder = Finder::of("a");
        finder.step("a.a.a", 100);
        assert_eq!(finder.from(0), Some(0));
        assert_eq!(finder.from(1), Some(1));
        assert_eq!(finder.from(5), Some(0));
        assert_eq!(Finder::of("x").from(0), None);
    }

    #[test]
    fn of_too_many_places_some_are_kept_and_that_is_known() {
        let mut finder = Finder::of("a");
        finder.step(&"a".repeat(MOST_FOUND + 5), usize::MAX);
        assert!(finder.is_done() && finder.is_full());
        assert_eq!(finder.found().len(), MOST_FOUND);
    }
}
