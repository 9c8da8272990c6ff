//! The window: opening it, what comes in, what is drawn where, and carrying out what was asked for.

mod app;
mod dialogs;
mod frames;
mod incoming;
mod open;
pub mod page;
pub mod pages;
mod palette;
mod qa;
mod run_command;
pub mod scene;
mod size;
mod tab_files;
mod tabs;
mod unsaved;
pub mod views;

pub use app::{Start, WindowApp};
pub use open::open;
