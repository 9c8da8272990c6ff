//! The colours of code, as data: which part of which line is what.
//!
//! [`Highlighter`] is asked while drawing and never waits: a thread of its own does the work and calls
//! back when it is done. The grammars are read on the first request, so a window that shows no code
//! doesn't hold them.

mod cache;
mod grammar;
mod highlighter;
mod spans;

pub use highlighter::{Highlighter, Waker};
pub use spans::{Piece, Spans, Token};
