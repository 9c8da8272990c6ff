//! Wisp's window and command line: two clients of the engine.

pub mod cli;
pub mod theme;
pub mod window;
