//! Markdown as data: a text that grows, cut into segments at safe places, each parsed once.
//!
//! - [`document`] holds the text and what has been parsed of it; this is where to start.
//! - `segment` is a part that can be parsed by itself; `scan` walks the lines and finds where a segment ends.
//! - `line` says what one line opens.
//! - `fence` keeps the code block that is still open, and appends to it.
//! - `parse` turns a segment into blocks, by pulldown-cmark.
//! - `block` is what comes out, `code` the text of a code block with its lines.
//!
//! Knows nothing of how it is drawn.

mod block;
mod build;
mod code;
pub mod document;
mod fence;
mod line;
mod links;
mod parse;
mod scan;
mod segment;

pub use block::{Align, Block, BlockKind, Inline, Item, List, Span, Style, Table};
pub use code::{Code, CodeText};
pub use document::{Blocks, Document};

#[cfg(test)]
mod tests;
