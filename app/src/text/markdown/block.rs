//! What a text is made of.

use std::sync::Arc;

use super::code::{Code, CodeText};

/// A part of the text that stands by itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Changes when the content changes; the same content at the same place keeps it.
    pub id: u64,
    /// Whether it goes on where the block before was cut for its length, so no space belongs between them.
    pub continues: bool,
    /// What it is.
    pub kind: BlockKind,
}

/// What a block is.
#[derive(Clone, Debug, PartialEq)]
pub enum BlockKind {
    /// Running text.
    Paragraph(Vec<Inline>),
    /// A heading, level 1 to 6.
    Heading {
        /// 1 to 6.
        level: u8,
        /// Its text.
        text: Vec<Inline>,
    },
    /// Code in a block of its own.
    Code(Code),
    /// A list.
    List(List),
    /// What is quoted.
    Quote(Vec<BlockKind>),
    /// A table.
    Table(Table),
    /// A line across.
    Rule,
    /// HTML, as it was written. It is shown and never interpreted.
    Html(CodeText),
    /// A picture alone in its paragraph.
    Image {
        /// Where it is, as written.
        target: Arc<str>,
        /// What it shows, in words.
        alt: String,
    },
}

/// A list.
#[derive(Clone, Debug, PartialEq)]
pub struct List {
    /// The first number; nothing for bullets.
    pub start: Option<u64>,
    /// Whether its items stand without space between them.
    pub tight: bool,
    /// The items, in order.
    pub items: Vec<Item>,
}

/// An item of a list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Item {
    /// Whether it is a task, and done.
    pub task: Option<bool>,
    /// What stands in it.
    pub blocks: Vec<BlockKind>,
}

/// How a column is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Align {
    /// To the left.
    #[default]
    Left,
    /// In the middle.
    Center,
    /// To the right.
    Right,
}

/// A table. A row has as many cells as there are columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// One for each column.
    pub aligns: Vec<Align>,
    /// The cells of the head.
    pub head: Vec<Vec<Inline>>,
    /// The rows, each with its cells.
    pub rows: Vec<Vec<Vec<Inline>>>,
}

/// A piece of running text.
#[derive(Clone, Debug, PartialEq)]
pub enum Inline {
    /// Text of one style.
    Text(Span),
    /// The end of a line.
    Break,
    /// A picture within text.
    Image {
        /// Where it is, as written.
        target: Arc<str>,
        /// What it shows, in words.
        alt: String,
    },
}

/// Text of one style.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Span {
    /// The text.
    pub text: String,
    /// How it is set.
    pub style: Style,
    /// Where it leads.
    pub link: Option<Arc<str>>,
}

/// How a piece of text is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style(u8);

impl Style {
    /// With weight.
    pub const STRONG: Self = Self(1);
    /// Slanted.
    pub const EMPHASIS: Self = Self(2);
    /// Struck through.
    pub const STRIKE: Self = Self(4);
    /// Code.
    pub const CODE: Self = Self(8);

    /// Whether the other style is part of this one.
    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}
