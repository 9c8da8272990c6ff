//! Sessions: their actors, runs and steps, their history for the model, and the store of them all.
//!
//! An [`actor`] is the only writer of its session's state. It lends the state to one [`run`] at a time;
//! a run asks the model in [`step`]s and carries out each reply's [`batch`] of calls. Everything that
//! happens goes through the session's [`journal`], which shows nothing that isn't stored.

pub(crate) mod actor;
mod batch;
pub(crate) mod configuration;
mod folder;
mod history;
mod journal;
mod prompt;
mod questions;
pub(crate) mod registry;
mod run;
pub(crate) mod shared;
mod step;
pub(crate) mod store;
