//! What the walk over the lines gives: parts to be parsed, and blocks that need no parsing.

use std::ops::Range;

use super::block::{Block, BlockKind};
use super::code::CodeText;

/// A part of the text that can be parsed by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Segment {
    /// Where it is in the text.
    pub(super) range: Range<usize>,
    /// What is read before it: the head of a table that was cut. Usually empty.
    pub(super) lead: Range<usize>,
    /// Whether it goes on where the one before was cut.
    pub(super) continues: bool,
    /// The number its list goes on with.
    pub(super) number: Option<u64>,
}

/// What comes out of the walk.
pub(super) enum Part {
    /// To be parsed.
    Segment(Segment),
    /// Needs no parsing.
    Block(Block),
}

impl Part {
    /// HTML as it was written.
    pub(super) fn html(segment: &Segment, text: &str) -> Self {
        let source = text.get(segment.range.clone()).unwrap_or_default();
        Self::Block(Block {
            id: super::parse::id(segment.range.start, 0, source),
            continues: segment.continues,
            kind: BlockKind::Html(CodeText::from(source.trim_end())),
        })
    }
}
