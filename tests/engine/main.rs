//! The engine through its queues, and the command line through its streams, against the scripted model
//! over real HTTP.

#![expect(
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test lays its own files, starts the program, reads the clock, and says by a panic what is wrong"
)]

mod approvals;
mod cancelling;
mod command_line;
mod failures;
mod files;
mod killing;
mod previews;
mod scenarios;
mod sessions;
mod settings;
