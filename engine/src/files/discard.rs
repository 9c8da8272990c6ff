//! Puts a file or folder into the system's trash. Never deletes.
//!
//! The trash takes paths, not handles. The path it gets is derived from the handle of the folder at
//! the last moment; what a hostile program could still do by swapping that folder then is to have
//! something else put into the trash, from where it can be taken back.

use std::path::{Path, PathBuf};

use tokio_util::sync::CancellationToken;

use crate::protocol::ToolErrorKind;
use crate::toolkit::{ToolError, ToolResult};

use super::tree::Tree;
use super::{Id, RelPath, Workspace, WriteLease, os, words};

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

    /// Puts it there, if all is still as it was. `put` is the system's trash.
    pub(crate) fn run(
        &self,
        _lease: &WriteLease,
        workspace: &Workspace,
        cancel: &CancellationToken,
        put: impl FnOnce(&Path) -> Result<(), trash::Error>,
    ) -> ToolResult<()> {
        let place = workspace.place(&self.path)?;
        if place.parent() != self.parent || Tree::scan(&place, true, cancel)? != self.tree {
            return Err(words::changed(&self.path));
        }
        let folder = os::path_of(&place.dir)
            .unwrap_or_else(|| parent_of(&PathBuf::from(workspace.real(&self.path))));
        let said = put(&folder.join(&place.name));
        let still = place.look()?.is_some_and(|now| now.id == self.tree.top.id);
        match (said, still) {
            (Ok(()), false) => Ok(()),
            (Ok(()), true) => Err(ToolError::failed(format!(
                "The system's trash reported success, but this is still in its place. Nothing was deleted: {}",
                self.path
            ))),
            (Err(error), true) => Err(ToolError::new(
                class(&error),
                format!(
                    "The system's trash did not take it ({}). It is still in its place, and it is never deleted instead: {}",
                    cause(&error),
                    self.path
                ),
            )),
            (Err(error), false) => Err(ToolError::failed(format!(
                "The system's trash reported an error ({}), yet this is no longer in its place. The user has to look into the trash: {}",
                cause(&error),
                self.path
            ))),
        }
    }
}

fn parent_of(path: &Path) -> PathBuf {
    path.parent().unwrap_or(path).to_owned()
}

/// Without a home folder there is no trash at all.
fn class(error: &trash::Error) -> ToolErrorKind {
    match error {
        trash::Error::Unknown { .. } => ToolErrorKind::Unsupported,
        _ => ToolErrorKind::Failed,
    }
}

fn cause(error: &trash::Error) -> String {
    match error {
        trash::Error::Unknown { description } | trash::Error::Os { description, .. } => {
            description.clone()
        }
        #[cfg(all(unix, not(target_os = "macos")))]
        trash::Error::FileSystem { path, source } => format!("{source}: {}", path.display()),
        other => format!("{other:?}"),
    }
}
