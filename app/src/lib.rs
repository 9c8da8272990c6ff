//! Wisp's window and command line: two clients of the engine.

pub mod about;
pub mod bridge;
pub mod chat;
pub mod cli;
pub mod commands;
pub mod i18n;
pub mod pages;
pub mod preview;
pub mod qa_panel;
pub mod settings;
pub mod sidebar;
pub mod simulation;
pub mod state;
pub mod text;
pub mod theme;
pub mod welcome;
pub mod widgets;
pub mod window;
