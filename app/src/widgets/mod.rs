//! Widgets that know nothing of the engine.

pub mod button;
pub mod key_hint;
