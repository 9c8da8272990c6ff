//! Puts a file or folder into the system's trash. Never deletes.
//!
//! On Linux this is a rename from the folder's handle, or nothing at all: see `desktop_trash`. On
//! other systems the trash takes paths, not handles; the path it gets is derived from the handle of
//! the folder at the last moment. What a hostile program could still do there by swapping that folder
//! is to have something else put into the trash, from where it can be taken back.

use std::path::{Path, PathBuf};

use tokio_util::sync::CancellationToken;

use crate::protocol::ToolErrorKind;
use crate::toolkit::{ToolError, ToolResult};

use super::tree::Tree;
use super::{Id, Place, RelPath, Workspace, WriteLease, os, words};

/// Something to put into the trash, bound to all that is in it.
#[derive(Debug)]
pub(crate) struct Discard {
    path: RelPath,
    parent: Option<Id>,
    pub(crate) tree: Tree,
}

impl Discard {
    /// Looks at it.
    pub(crate) fn bind(
        workspace: &Workspace,
        path: RelPath,
        cancel: &CancellationToken,
    ) -> ToolResult<Self> {
        let place = workspace.place(&path)?;
        Ok(Self {
            tree: Tree::scan(&place, true, cancel)?,
            parent: place.parent(),
            path,
        })
    }

    /// Puts it there, if all is still as it was. `put` is the system's trash; it gets the real path of
    /// the folder besides, for what it writes down.
    pub(crate) fn run(
        &self,
        _lease: &WriteLease,
        workspace: &Workspace,
        cancel: &CancellationToken,
        put: impl FnOnce(&Place, &Path) -> Result<(), Refusal>,
    ) -> ToolResult<()> {
        let place = workspace.place(&self.path)?;
        if place.parent() != self.parent || Tree::scan(&place, true, cancel)? != self.tree {
            return Err(words::changed(&self.path));
        }
        let folder = os::path_of(&place.dir)
            .and_then(|open| open.canonicalize().ok())
            .unwrap_or_else(|| parent_of(&PathBuf::from(workspace.real(&self.path))));
        let said = put(&place, &folder);
        let still = place.look()?.is_some_and(|now| now.id == self.tree.top.id);
        match (said, still) {
            (Ok(()), false) => Ok(()),
            (Ok(()), true) => Err(ToolError::failed(format!(
                "The system's trash reported success, but this is still in its place. Nothing was deleted: {}",
                self.path
            ))),
            (Err(refusal), true) => Err(ToolError::new(
                refusal.kind,
                format!(
                    "The system's trash did not take it, because {}. It is still in its place, and it is never deleted instead: {}",
                    refusal.cause, self.path
                ),
            )),
            (Err(refusal), false) => Err(ToolError::failed(format!(
                "The system's trash did not take it, because {}, yet this is no longer in its place. The user has to look into the trash: {}",
                refusal.cause, self.path
            ))),
        }
    }
}

fn parent_of(path: &Path) -> PathBuf {
    path.parent().unwrap_or(path).to_owned()
}

/// Why the system's trash did not take something.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(super) kind: ToolErrorKind,
    /// After "because".
    cause: String,
}

impl Refusal {
    /// There is no trash for this.
    pub(crate) fn unavailable() -> Self {
        Self {
            kind: ToolErrorKind::Unsupported,
            cause: "there is no trash for the disk that this is on; nothing was moved".to_owned(),
        }
    }

    /// It should have gone.
    pub(crate) fn failed(cause: String) -> Self {
        Self {
            kind: ToolErrorKind::Failed,
            cause,
        }
    }
}

/// The system's trash. `folder` is the real path of the folder that the place is in.
#[cfg(target_os = "linux")]
pub(crate) fn system_trash(place: &Place, folder: &Path) -> Result<(), Refusal> {
    super::desktop_trash::put(place, folder)
}

/// The system's trash. `folder` is the real path of the folder that the place is in.
#[cfg(not(target_os = "linux"))]
pub(crate) fn system_trash(place: &Place, folder: &Path) -> Result<(), Refusal> {
    trash::delete(folder.join(&place.name)).map_err(|error| match error {
        trash::Error::Unknown { description } | trash::Error::Os { description, .. } => {
            Refusal::failed(description)
        }
        other => Refusal::failed(format!("{other:?}")),
    })
}
