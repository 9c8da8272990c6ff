//! Files, confined to one folder by directory handles.
//!
//! The only place of the engine that calls the operating system for files of the user. Nothing here
//! asks for permission: that is the gate's, whose permit [`Writer::lease`] takes; whatever changes
//! something takes the lease. Paths as text are for messages only; whatever is read or changed is
//! reached from a handle of the folder, one component after another, following no link.
#![expect(
    clippy::disallowed_methods,
    reason = "this is the home of people's files"
)]

pub(crate) mod limits;

pub(crate) mod path;
pub(crate) mod stamp;
pub(crate) mod words;

mod workspace;
mod writer;

pub(crate) mod os;
pub(crate) mod survey;
pub(crate) mod text;

pub(crate) mod names;
pub(crate) mod open;
pub(crate) mod target;

pub(crate) mod atomic;
#[cfg(target_os = "linux")]
mod desktop_trash;
pub(crate) mod discard;
pub(crate) mod listing;
pub(crate) mod matching;
pub(crate) mod reading;
pub(crate) mod relocate;
pub(crate) mod search;
pub(crate) mod tree;

#[cfg(test)]
mod escape_tests;
#[cfg(test)]
pub(crate) mod testing;

pub(crate) use path::{RelPath, key_folders};
pub(crate) use stamp::{Id, Kind, Stamp};
pub(crate) use workspace::{Folder, Place, Workspace};
pub(crate) use writer::{WriteLease, Writer};
