//! What the panels are put together from. Knows the look and the words, and nothing of the engine.

pub mod badge;
pub mod button;
pub mod choice;
pub mod code_block;
pub mod diff_view;
pub mod file_view;
pub mod fold;
pub mod hits_view;
pub mod json_view;
pub mod key_hint;
pub mod markdown;
pub mod modal;
pub(crate) mod number;
mod paint;
pub mod progress_ring;
mod rows;
pub mod search_field;
pub mod spinner;
pub mod tab_strip;
#[cfg(test)]
mod testing;
pub mod text_view;
pub mod tree_rows;
pub mod tree_view;
