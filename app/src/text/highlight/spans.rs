//! What is known about the lines of a code.

use std::ops::Range;

/// What a part of code is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Token {
    /// Nothing in particular.
    #[default]
    Plain,
    /// A word of the language.
    Keyword,
    /// Text.
    String,
    /// A function's name.
    Function,
    /// A type's name.
    Type,
    /// A number or another constant.
    Number,
    /// A comment.
    Comment,
}

/// A part of a line. What lies between two of them is plain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Where it is in its line, in bytes.
    pub range: Range<usize>,
    /// What it is.
    pub token: Token,
}

/// The parts of all lines of a code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spans {
    pieces: Vec<Piece>,
    /// The end of each line's pieces.
    ends: Vec<usize>,
}

impl Spans {
    /// The parts of a line by its number from 0, in order. None for a line that isn't known.
    pub fn line(&self, number: usize) -> &[Piece] {
        let start = match number.checked_sub(1) {
            Some(before) => self.ends.get(before).copied(),
            None => Some(0),
        };
        let (Some(start), Some(&end)) = (start, self.ends.get(number)) else {
            return &[];
        };
        self.pieces.get(start..end).unwrap_or_default()
    }

    /// Adds a part to the line that is being read. Neighbours of one kind become one.
    pub(super) fn push(&mut self, range: Range<usize>, token: Token) {
        if token == Token::Plain || range.is_empty() {
            return;
        }
        let line = self.ends.last().copied().unwrap_or(0);
        if self.pieces.len() > line
            && let Some(last) = self.pieces.last_mut()
            && last.token == token
            && last.range.end == range.start
        {
            last.range.end = range.end;
        } else {
            self.pieces.push(Piece { range, token });
        }
    }

    /// Ends the line that is being read.
    pub(super) fn end_line(&mut self) {
        self.ends.push(self.pieces.len());
    }

    /// About how much memory it holds, in bytes.
    pub(super) fn size(&self) -> usize {
        self.pieces.capacity() * size_of::<Piece>() + self.ends.capacity() * size_of::<usize>()
    }
}
