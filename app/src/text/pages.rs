//! A text of any size as rows of bounded length, none of it left out: what a whole file is shown by.

use std::ops::Range;
use std::sync::Arc;

use super::lines::LONGEST;
use super::visible;

/// A text, where its rows begin, and which of them only go on with a line.
#[derive(Clone, Debug)]
pub struct Pages {
    text: Arc<str>,
    /// Where each row begins, in bytes.
    starts: Vec<usize>,
    /// The rows that go on with the line of the row before, in order.
    goes_on: Vec<usize>,
    widest: usize,
}

/// What is drawn of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// The row's characters, with what would steer made visible.
    pub text: String,
    /// Where each character of the row stands in `text`, in bytes, and its end; `None` when it is the row itself.
    places: Option<Vec<(usize, usize)>>,
}

impl Pages {
    /// Finds the rows. Goes through the text once. A line over [`LONGEST`] characters takes several rows; after a
    /// last line end there is an empty row, as in an editor.
    pub fn of(text: impl Into<Arc<str>>) -> Self {
        let text: Arc<str> = text.into();
        let mut pages = Self {
            starts: Vec::new(),
            goes_on: Vec::new(),
            widest: 0,
            text: Arc::clone(&text),
        };
        let mut start = 0;
        for (end, _) in text.match_indices('\n') {
            pages.push_line(&text, start..end);
            start = end + 1;
        }
        pages.push_line(&text, start..text.len());
        pages
    }

    fn push_line(&mut self, text: &str, line: Range<usize>) {
        self.starts.push(line.start);
        if line.len() <= LONGEST {
            self.widest = self.widest.max(line.len());
            return;
        }
        self.widest = LONGEST;
        let line_text = text.get(line.clone()).unwrap_or_default();
        for (at, _) in line_text.char_indices().step_by(LONGEST).skip(1) {
            self.goes_on.push(self.starts.len());
            self.starts.push(line.start + at);
        }
    }

    /// The whole text.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// How many rows there are; at least one.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// How many lines there are.
    pub fn lines(&self) -> usize {
        self.starts.len() - self.goes_on.len()
    }

    /// How many columns the widest row may take: never too few, at most [`LONGEST`].
    pub fn columns(&self) -> usize {
        self.widest
    }

    /// The line of a row, both counted from 0, and whether the row begins it.
    pub fn line_of(&self, row: usize) -> (usize, bool) {
        let before = self.goes_on.partition_point(|goes_on| *goes_on <= row);
        let begins = self.goes_on.binary_search(&row).is_err();
        (row - before, begins)
    }

    /// The row where a line begins, both counted from 0; the last row for what is past the end.
    pub fn row_of_line(&self, line: usize) -> usize {
        // Each row that goes on stands before some line: its place less those before it.
        let before = (self.goes_on.iter().enumerate())
            .take_while(|(number, row)| *row - number <= line)
            .count();
        (line + before).min(self.starts.len().saturating_sub(1))
    }

    /// Where a row is in the text, without its line end.
    pub fn range(&self, row: usize) -> Range<usize> {
        let start = self.starts.get(row).copied().unwrap_or(self.text.len());
        let end = (self.starts.get(row + 1).copied()).unwrap_or(self.text.len());
        let whole = self.text.get(start..end).unwrap_or_default();
        let row = whole.strip_suffix('\n').unwrap_or(whole);
        let row = row.strip_suffix('\r').unwrap_or(row);
        start..start + row.len()
    }

    /// The row that a place in the text is in.
    pub fn row_at(&self, place: usize) -> usize {
        (self.starts.partition_point(|start| *start <= place)).saturating_sub(1)
    }

    /// What is drawn of a row.
    pub fn drawn(&self, row: usize) -> Drawn {
        let text = self.text.get(self.range(row)).unwrap_or_default();
        Drawn::of(text)
    }
}

impl Drawn {
    fn of(row: &str) -> Self {
        let text = visible::text(row);
        if text == row {
            return Self { text, places: None };
        }
        let mut text = String::with_capacity(row.len() + 16);
        let mut places = Vec::new();
        let mut buffer = [0; 4];
        for (at, c) in row.char_indices() {
            places.push((at, text.len()));
            text.push_str(&visible::text(c.encode_utf8(&mut buffer)));
        }
        places.push((row.len(), text.len()));
        let places = Some(places);
        Self { text, places }
    }

    /// Where a place of the row is in what is drawn, both in bytes.
    pub fn place(&self, at: usize) -> usize {
        match &self.places {
            None => at.min(self.text.len()),
            Some(places) => {
                let found = places.partition_point(|(place, _)| *place < at);
                places
                    .get(found)
                    .map_or(self.text.len(), |(_, drawn)| *drawn)
            }
        }
    }

    /// Where a place of what is drawn is in the row, both in bytes.
    pub fn origin(&self, at: usize) -> usize {
        match &self.places {
            None => at,
            Some(places) => {
                let found = places.partition_point(|(_, drawn)| *drawn < at);
                (places.get(found).or(places.last())).map_or(0, |(place, _)| *place)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(pages: &Pages, row: usize) -> &str {
        pages.text.get(pages.range(row)).unwrap()
    }

    fn rows(pages: &Pages) -> Vec<&str> {
        (0..pages.count())
            .map(|number| row(pages, number))
            .collect()
    }

    #[test]
    fn rows_are_lines_as_an_editor_shows_them() {
        assert_eq!(rows(&Pages::of("one\r\n\ntwo\n")), ["one", "", "two", ""]);
        assert_eq!(rows(&Pages::of("one")), ["one"]);
        assert_eq!(rows(&Pages::of("")), [""]);
    }

    #[test]
    fn a_line_of_a_million_characters_is_shown_whole_in_rows_of_one_line() {
        let long = "字".repeat(1_000_000);
        let pages = Pages::of(format!("a\n{long}\nb"));
        assert_eq!((pages.lines(), pages.count()), (3, 502));
        assert_eq!(rows(&pages)[1..501].concat(), long);
        assert_eq!(pages.line_of(1), (1, true));
        assert_eq!(pages.line_of(2), (1, false));
        assert_eq!(pages.line_of(501), (2, true));
        assert_eq!(pages.row_of_line(1), 1);
        assert_eq!(pages.row_of_line(2), 501);
        assert_eq!(pages.row_of_line(99), 501);
        assert_eq!(pages.row_at(2), 1);
        assert_eq!(pages.row_at(2 + 3 * LONGEST), 2);
        assert_eq!(pages.columns(), LONGEST);
    }

    #[test]
    fn places_are_found_in_what_steers_and_back() {
        let pages = Pages::of("a\u{202e}b");
        let drawn = pages.drawn(0);
        assert_eq!(drawn.text, "a\\u{202e}b");
        assert_eq!((drawn.place(0), drawn.place(1), drawn.place(4)), (0, 1, 9));
        assert_eq!(
            (drawn.origin(9), drawn.origin(10), drawn.origin(5)),
            (4, 5, 4)
        );
        let plain = Pages::of("aéb").drawn(0);
        assert_eq!((plain.place(3), plain.origin(3)), (3, 3));
    }

    #[test]
    fn twenty_megabytes_keep_every_line() {
        let pages = Pages::of("0123456789abcde\n".repeat(1_310_720));
        assert_eq!(pages.lines(), 1_310_721);
        assert_eq!(row(&pages, 1_310_719), "0123456789abcde");
    }
}
