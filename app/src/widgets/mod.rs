//! Parts that know nothing of the engine: they are given data, colours and words, and say what was done to them.

pub mod badge;
pub mod button;
pub mod diff_view;
pub mod fold;
pub mod hits_view;
pub mod json_view;
pub mod key_hint;
pub mod modal;
mod paint;
pub mod progress_ring;
mod rows;
pub mod search_field;
pub mod spinner;
#[cfg(test)]
mod testing;
pub mod text_view;
pub mod tree_view;
