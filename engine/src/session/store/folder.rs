//! The data folder: where it is, that one program uses it, who may read it.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use crate::protocol::{Failure, FailureKind};

/// The events, open to the owner's other programs.
const EVENTS_FILE: &str = "wisp.db";
/// The model's history, for the owner alone.
const PRIVATE_FILE: &str = "private.db";
/// Held while a program writes to the folder.
const LOCK_FILE: &str = "lock";
/// Held for each change of the user's files.
const WRITER_LOCK_FILE: &str = "files.lock";

/// Where sessions are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreLocation {
    /// In this folder, made if it isn't there.
    Folder(PathBuf),
    /// In memory, gone with the engine: for one call from the command line.
    Memory,
}

/// A data folder that exists.
#[derive(Clone, Debug)]
pub(crate) struct DataFolder {
    path: PathBuf,
}

/// The right to write to a data folder. Ends with the value, or with the process.
#[derive(Debug)]
pub(crate) struct FolderLock {
    _file: File,
}

impl DataFolder {
    /// Makes the folder, for its owner alone, if it isn't there.
    pub(crate) fn prepare(path: &Path) -> Result<Self, Failure> {
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::DirBuilderExt;
            builder.mode(0o700);
        }
        builder.create(path).map_err(|error| {
            store_failure(format!(
                "The data folder can't be made ({error}): {}.",
                path.display()
            ))
        })?;
        Ok(Self {
            path: path.to_owned(),
        })
    }

    /// The folder if it is there, for reading alone.
    pub(crate) fn existing(path: &Path) -> Option<Self> {
        path.join(EVENTS_FILE).is_file().then(|| Self {
            path: path.to_owned(),
        })
    }

    /// The folder itself.
    #[cfg(test)]
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The events' file.
    pub(crate) fn events_file(&self) -> PathBuf {
        self.path.join(EVENTS_FILE)
    }

    /// The private file, made readable by its owner only before anything is in it.
    pub(crate) fn private_file(&self) -> Result<PathBuf, Failure> {
        let path = self.path.join(PRIVATE_FILE);
        let mut options = OpenOptions::new();
        options.create(true).truncate(false).write(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            options.mode(0o600);
        }
        let opened = options.open(&path).and_then(|file| own_only(&file));
        opened.map_err(|error| {
            store_failure(format!(
                "The private history can't be opened ({error}): {}.",
                path.display()
            ))
        })?;
        Ok(path)
    }

    /// The lock file for changes of the user's files.
    pub(crate) fn writer_lock(&self) -> PathBuf {
        self.path.join(WRITER_LOCK_FILE)
    }

    /// Takes the folder, or says who has it.
    pub(crate) fn lock(&self) -> Result<FolderLock, Failure> {
        let path = self.path.join(LOCK_FILE);
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(&path)
            .map_err(|error| {
                store_failure(format!(
                    "The data folder can't be written ({error}): {}.",
                    self.path.display()
                ))
            })?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                let holder = match file.read_to_string(&mut holder) {
                    Ok(_) if !holder.trim().is_empty() => format!(" (process {})", holder.trim()),
                    _ => String::new(),
                };
                return Err(Failure::new(
                    FailureKind::StoreLocked,
                    format!(
                        "Another copy of Wisp{holder} is using the data folder {}.",
                        self.path.display()
                    ),
                ));
            }
            Err(TryLockError::Error(error)) => {
                return Err(store_failure(format!(
                    "The data folder can't be locked ({error}): {}.",
                    self.path.display()
                )));
            }
        }
        // Who holds it is a courtesy for the message above; the lock itself is what counts.
        let named = file
            .set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| write!(file, "{}", std::process::id()));
        if let Err(error) = named {
            tracing::warn!(%error, "the lock file could not be written");
        }
        Ok(FolderLock { _file: file })
    }
}

#[cfg(unix)]
fn own_only(file: &File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o600))
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the other systems' twin can fail")]
fn own_only(_file: &File) -> std::io::Result<()> {
    Ok(())
}

/// A failure of the store.
pub(super) fn store_failure(message: impl Into<String>) -> Failure {
    Failure::new(FailureKind::Store, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_copy_is_told_who_has_the_folder() {
        let home = tempfile::tempdir().unwrap();
        let folder = DataFolder::prepare(&home.path().join("a/b")).unwrap();
        let held = folder.lock().unwrap();
        let failure = folder.lock().unwrap_err();
        assert_eq!(failure.kind, FailureKind::StoreLocked);
        assert!(failure.message.contains(&std::process::id().to_string()));
        drop(held);
        folder.lock().unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn what_is_private_is_readable_by_its_owner_only() {
        use std::os::unix::fs::PermissionsExt;
        let home = tempfile::tempdir().unwrap();
        let folder = DataFolder::prepare(&home.path().join("data")).unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(folder.path()), 0o700);
        assert_eq!(mode(&folder.private_file().unwrap()), 0o600);
    }
}
