//! What the suites share: an engine at a scripted model, and the program as it is built.
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
mod program;

pub use desk::{DEADLINE, Desk, Say, outcome, statuses};
pub use program::{Program, wisp, with_input};
