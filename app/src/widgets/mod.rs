//! What the panels are put together from. Knows the look and the words, and nothing of the engine.

pub mod button;
pub mod code_block;
pub mod key_hint;
pub mod markdown;
pub(crate) mod number;
