//! Files, confined to one folder by directory handles.
//!
//! The only place of the engine that calls the operating system for files of the user. Nothing here
//! asks for permission: that is the gate's, whose permit [`Writer::lease`] takes. Paths as text are
//! for messages only; whatever is read or changed is reached from a handle of the folder, one
//! component after another, following no link.

mod workspace;
mod writer;

pub(crate) use workspace::Workspace;
pub(crate) use writer::{WriteLease, Writer};
