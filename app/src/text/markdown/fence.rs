//! The code block that is still open. A block of a megabyte that streams is only ever appended to.

use std::hash::{DefaultHasher, Hasher as _};

use super::block::{Block, BlockKind};
use super::code::Code;
use super::line::{Fence, run};

/// A line longer than this, in bytes, closes no block.
const LONGEST_CLOSING: usize = 1000;

/// A code block being read.
#[derive(Debug)]
pub(super) struct OpenFence {
    fence: Fence,
    block: Block,
    hash: DefaultHasher,
    /// How much of the text is in the code.
    shown: usize,
    /// Whether a line is in the code, and whether the present one has begun to be.
    any: bool,
    begun: bool,
}

impl OpenFence {
    /// Opens at this offset of the text, which is where the first line of code starts.
    pub(super) fn new(fence: Fence, info: &str, start: usize) -> Self {
        let mut hash = DefaultHasher::new();
        hash.write_usize(start);
        hash.write(info.as_bytes());
        let code = Code {
            language: language(info).to_owned(),
            ..Code::default()
        };
        Self {
            fence,
            block: Block {
                id: hash.finish(),
                continues: false,
                kind: BlockKind::Code(code),
            },
            hash,
            shown: start,
            any: false,
            begun: false,
        }
    }

    /// Takes a whole line, which starts at `start` and has no line end. Gives whether it closes the block.
    pub(super) fn line(&mut self, start: usize, line: &str) -> bool {
        let line = line.strip_suffix('\r').unwrap_or(line);
        if !self.begun && self.closes(line) {
            self.close();
            return true;
        }
        self.take(start, line);
        self.begun = false;
        self.any = true;
        false
    }

    /// Takes what there is of the last line. What may yet close the block waits.
    pub(super) fn partial(&mut self, start: usize, line: &str) {
        if self.begun || !self.may_close(line) {
            // Its line feed may still come.
            self.take(start, line.strip_suffix('\r').unwrap_or(line));
        }
        self.block.id = self.hash.finish();
    }

    /// No more text comes.
    pub(super) fn close(&mut self) {
        if let BlockKind::Code(code) = &mut self.block.kind {
            code.closed = true;
        }
        self.hash.write_u8(0xff);
        self.block.id = self.hash.finish();
    }

    /// The block as it is.
    pub(super) fn block(&self) -> &Block {
        &self.block
    }

    /// The block, which takes no more text.
    pub(super) fn into_block(self) -> Block {
        self.block
    }

    fn take(&mut self, start: usize, line: &str) {
        let mut piece = "";
        if !self.begun {
            self.begun = true;
            if self.any {
                self.append("\n");
            }
            let (spaces, rest) = self.unindent(line);
            self.append(spaces);
            piece = rest;
        } else if let Some(more) = line.get(self.shown.saturating_sub(start)..) {
            piece = more;
        }
        self.append(piece);
        self.shown = start + line.len();
    }

    /// Takes the fence's indentation from a line: the spaces that are left of a tab, and the rest.
    fn unindent<'a>(&self, line: &'a str) -> (&'static str, &'a str) {
        let mut column = 0;
        let mut rest = line;
        while column < self.fence.indent {
            if let Some(after) = rest.strip_prefix(' ') {
                column += 1;
                rest = after;
            } else if let Some(after) = rest.strip_prefix('\t') {
                let left = 4_usize.saturating_sub(self.fence.indent);
                return ("    ".get(..left).unwrap_or_default(), after);
            } else {
                break;
            }
        }
        ("", rest)
    }

    fn append(&mut self, piece: &str) {
        self.hash.write(piece.as_bytes());
        if let BlockKind::Code(code) = &mut self.block.kind {
            code.text.push(piece);
        }
    }

    fn closes(&self, line: &str) -> bool {
        let marks = line.trim_start_matches(' ');
        let length = run(marks, self.fence.mark);
        line.len() <= LONGEST_CLOSING
            && line.len() - marks.len() < 4
            && length >= self.fence.length
            && (marks.get(length..)).is_some_and(|rest| rest.trim_matches([' ', '\t']).is_empty())
    }

    fn may_close(&self, line: &str) -> bool {
        let marks = line.trim_start_matches(' ');
        let length = run(marks, self.fence.mark);
        let rest = marks.get(length..).unwrap_or_default();
        line.len() <= LONGEST_CLOSING
            && line.len() - marks.len() < 4
            && rest.trim_matches([' ', '\t', '\r']).is_empty()
            && (rest.is_empty() || length >= self.fence.length)
    }
}

/// The language named after a fence: its first word.
pub(super) fn language(info: &str) -> &str {
    (info.trim_start().split([' ', '\t', ',', '{']))
        .next()
        .unwrap_or_default()
}
