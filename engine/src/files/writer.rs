//! The one writer: all changes of files, of all sessions, one after another.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::{Mutex, OwnedMutexGuard};
use tokio_util::sync::CancellationToken;

use crate::permission::{Access, Permit};
use crate::toolkit::{ToolError, ToolResult};

/// Gives out the right to change files, to one holder at a time. Cheap to clone.
///
/// Within the process by a mutex; among several processes that share a data folder (`wisp call`
/// beside a window) by a lock on a file in it.
#[derive(Clone, Debug)]
pub(crate) struct Writer {
    turn: Arc<Mutex<()>>,
    lock_file: Option<Arc<PathBuf>>,
}

/// The right to change files, until it is dropped.
#[derive(Debug)]
pub(crate) struct WriteLease {
    _turn: OwnedMutexGuard<()>,
    _lock: Option<File>,
}

impl Writer {
    /// With a lock file at this path, made when it is first needed; `None` serialises this process alone.
    pub(crate) fn new(lock_file: Option<&Path>) -> Self {
        Self {
            turn: Arc::default(),
            lock_file: lock_file.map(|path| Arc::new(path.to_owned())),
        }
    }

    /// Waits for its turn. Uses up the call's permit, which must be one for changing.
    pub(crate) async fn lease(
        &self,
        permit: Permit,
        cancel: &CancellationToken,
    ) -> ToolResult<WriteLease> {
        if permit.access() != Access::ChangeInside {
            return Err(ToolError::refused(
                "A call that may only read tried to change a file.",
            ));
        }
        self.turn(cancel).await
    }

    /// Waits for its turn, for what the person wrote with their own hands in the window. That needs nobody's
    /// permit, and so no tool may come here.
    pub(crate) async fn lease_for_person(
        &self,
        cancel: &CancellationToken,
    ) -> ToolResult<WriteLease> {
        self.turn(cancel).await
    }

    async fn turn(&self, cancel: &CancellationToken) -> ToolResult<WriteLease> {
        let turn = tokio::select! {
            biased;
            () = cancel.cancelled() => return Err(ToolError::Cancelled),
            turn = Arc::clone(&self.turn).lock_owned() => turn,
        };
        let lock = match &self.lock_file {
            None => None,
            Some(path) => {
                let path = Arc::clone(path);
                let taken = tokio::task::spawn_blocking(move || lock_file(&path));
                tokio::select! {
                    biased;
                    () = cancel.cancelled() => return Err(ToolError::Cancelled),
                    lock = taken => Some(
                        lock.map_err(std::io::Error::other)
                            .flatten()
                            .map_err(|error| ToolError::failed(format!(
                                "Nothing was changed: the lock that keeps changes in order could not be taken ({error})."
                            )))?,
                    ),
                }
            }
        };
        Ok(WriteLease {
            _turn: turn,
            _lock: lock,
        })
    }
}

fn lock_file(path: &Path) -> std::io::Result<File> {
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)?;
    file.lock()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn two_leases_never_overlap_and_a_reader_gets_none() {
        let folder = tempfile::tempdir().unwrap();
        let writer = Writer::new(Some(&folder.path().join("lock")));
        let cancel = CancellationToken::new();
        let first = writer
            .lease(Permit::for_test(Access::ChangeInside), &cancel)
            .await
            .unwrap();
        cancel.cancel();
        assert!(matches!(
            writer
                .lease(Permit::for_test(Access::ChangeInside), &cancel)
                .await,
            Err(ToolError::Cancelled)
        ));
        drop(first);
        let cancel = CancellationToken::new();
        assert!(
            writer
                .lease(Permit::for_test(Access::ReadInside), &cancel)
                .await
                .is_err()
        );
        assert!(
            writer
                .lease(Permit::for_test(Access::ChangeInside), &cancel)
                .await
                .is_ok()
        );
    }
}
