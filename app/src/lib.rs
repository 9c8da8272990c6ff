//! Wisp's window and command line: two clients of the engine.

pub mod cli;
pub mod i18n;
pub mod text;
pub mod theme;
pub mod widgets;
pub mod window;
