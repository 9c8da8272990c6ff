//! A session's folder: opened when the session is made, and again at each run.

use std::path::PathBuf;
use std::sync::Arc;

use crate::files::Workspace;
use crate::protocol::{Failure, FailureKind};

/// The real path of a folder that a session can be made on.
pub(super) async fn resolve(folder: PathBuf, denied: Vec<PathBuf>) -> Result<PathBuf, Failure> {
    let path = open(folder, denied).await?.path().to_owned();
    if path.to_str().is_some() {
        return Ok(path);
    }
    let message = format!("The folder's name is not UTF-8: {}.", path.display());
    Err(Failure::new(FailureKind::Folder, message)
        .with_advice("Rename it, or choose another folder."))
}

/// Opens the folder that a session was made on. Its stored path has no links in it; if it leads elsewhere
/// now, something was put in its way, and that is not the folder the user chose.
pub(super) async fn reopen(
    folder: PathBuf,
    denied: Vec<PathBuf>,
) -> Result<Arc<Workspace>, Failure> {
    let workspace = open(folder.clone(), denied).await?;
    if workspace.path() == folder {
        return Ok(Arc::new(workspace));
    }
    let message = format!(
        "The session's folder has been replaced by a link to {}. Nothing was touched there: {}.",
        workspace.path().display(),
        folder.display()
    );
    Err(Failure::new(FailureKind::Folder, message))
}

async fn open(folder: PathBuf, denied: Vec<PathBuf>) -> Result<Workspace, Failure> {
    let opened = tokio::task::spawn_blocking(move || Workspace::open(&folder, &denied)).await;
    opened
        .map_err(|error| {
            let message = format!("The folder could not be opened ({error}).");
            Failure::new(FailureKind::Internal, message)
        })?
        .map_err(|error| Failure::new(FailureKind::Folder, error.to_string()))
}
