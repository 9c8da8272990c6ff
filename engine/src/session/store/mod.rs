//! The store: all sessions, in two SQLite files of the data folder.
//!
//! `wisp.db` holds sessions, their append-only events and the full-text search; `private.db`, readable
//! by its owner only, holds what goes back to the model and is shown nowhere: the history with its
//! reasoning. One thread owns both files while the program runs, and hands every event on to the
//! client queue itself, after the commit; so nothing can be shown that isn't stored.
//!
//! Durability: write-ahead log, one commit for whatever has queued up. A commit outlives a killed
//! process. Before a change of files and at a run's end the logs are synced besides, so that these
//! outlive a power cut. A half-written tail is dropped by SQLite at the next opening; nothing before it
//! is lost.
#![expect(
    clippy::disallowed_methods,
    reason = "this is the home of the program's own data folder"
)]

mod database;
mod events;
mod folder;
mod private;
mod queries;
mod recover;
mod writer;

#[cfg(test)]
mod tests;

pub(crate) use events::plain_line;
pub use events::title_of;
pub(crate) use folder::DataFolder;
pub use folder::StoreLocation;
pub(crate) use queries::read_beside;
pub(crate) use recover::closing;
pub(crate) use writer::{Store, StoredSession};
