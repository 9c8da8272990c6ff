//! What the suites share: an engine at a scripted model, the program as it is built, and its window on a
//! virtual display.
//!
//! Every wait has a deadline and ends at an event; nothing sleeps.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::missing_panics_doc,
    clippy::disallowed_methods,
    reason = "a test that can't go on says so by panicking, and lays its own files"
)]

mod desk;
#[cfg(feature = "window")]
mod inspect;
pub mod names;
mod program;
mod running;
mod screen;
mod tabs;
#[cfg(feature = "window")]
mod tree;
#[cfg(feature = "window")]
mod typing;

pub use desk::{DEADLINE, Desk, Say, outcome, statuses};
#[cfg(feature = "window")]
pub use inspect::Window;
pub use program::{Program, wisp, wisp_pages, with_input};
pub use running::{Running, first_line, output_within};
pub use screen::{PATIENCE, Screen, skip};
pub use tabs::Tabs;
#[cfg(feature = "window")]
pub use tree::{Tree, Widget};
#[cfg(feature = "window")]
pub use typing::{character, key_event};
