//! Draws a [`Document`](crate::text::markdown::Document): [`show`] is where to start.
//!
//! - [`look`] is what it is drawn with, and what comes back.
//! - [`layout`] keeps the heights of a document's blocks, so that only what is in sight is laid out.
//! - `prepare` turns a block into pieces with their places; `list`, `table` and `picture` are parts of it.
//! - `text` is a piece of running text: selectable, with links that can be focused.
//! - `paint` draws the pieces.

pub mod layout;
mod list;
pub mod look;
mod paint;
mod picture;
mod prepare;
mod show;
mod table;
mod text;

pub use layout::DocumentLayout;
pub use look::{MarkdownActions, MarkdownLook, Pictures};
pub use show::show;
pub(crate) use text::{mark, selectable};

#[cfg(test)]
mod tests;
