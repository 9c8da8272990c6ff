//! The window and the command line of Wisp.

pub mod theme;
pub mod window;
