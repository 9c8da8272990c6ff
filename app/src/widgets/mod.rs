//! What the panels are put together from. Knows the look and the words, and nothing of the engine.

pub mod code_block;
pub mod markdown;
pub(crate) mod number;
