//! The data folder: where it is, that one program uses it, who may read it.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::protocol::{Failure, FailureKind};

/// The events, open to the owner's other programs.
const EVENTS_FILE: &str = "wisp.db";
/// The model's history, for the owner alone.
const PRIVATE_FILE: &str = "private.db";
/// Held while a program writes to the folder.
const LOCK_FILE: &str = "lock";
/// How often a taken folder is tried again: a program that ends needs a moment to let go, and one that
/// only looks whether the folder is in use holds it for less than that.
const LOCK_TRIES: u32 = 10;
/// And how long between the tries.
const LOCK_PAUSE: Duration = Duration::from_millis(10);
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

    /// The folder if it holds a history, for reading alone. A folder that isn't there holds none; one that
    /// can't be looked into is a failure, so that a history never looks as if it had vanished.
    pub(crate) fn existing(path: &Path) -> Result<Option<Self>, Failure> {
        let unusable = |why: &dyn std::fmt::Display| {
            store_failure(format!(
                "The data folder can't be read ({why}): {}.",
                path.display()
            ))
            .with_advice("Mend it, or point WISP_HOME at another folder.")
        };
        match path.metadata() {
            Ok(folder) if !folder.is_dir() => return Err(unusable(&"it is no folder")),
            Ok(_) => {}
            Err(error)
                if error.kind() == ErrorKind::NotFound && path.symlink_metadata().is_err() =>
            {
                return Ok(None);
            }
            Err(error) => return Err(unusable(&error)),
        }
        match path.join(EVENTS_FILE).symlink_metadata() {
            Ok(file) if file.is_file() => Ok(Some(Self {
                path: path.to_owned(),
            })),
            Ok(_) => Err(unusable(&format!("{EVENTS_FILE} in it is no file"))),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(unusable(&error)),
        }
    }

    /// The folder itself.
    #[cfg(test)]
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The events' file, which need not be there.
    pub(crate) fn events_file(&self) -> PathBuf {
        self.path.join(EVENTS_FILE)
    }

    /// The private file, which need not be there.
    pub(crate) fn private_file(&self) -> PathBuf {
        self.path.join(PRIVATE_FILE)
    }

    /// Makes both files readable by their owner only, before anything is in them. The logs that SQLite
    /// keeps beside them get the same rights.
    pub(crate) fn make_files(&self) -> Result<(), Failure> {
        for name in [EVENTS_FILE, PRIVATE_FILE] {
            drop(self.own_file(name)?);
        }
        Ok(())
    }

    /// Opens one of the folder's own files, for its owner alone. What is no regular file is refused before
    /// it is opened: a pipe would never answer.
    fn own_file(&self, name: &str) -> Result<File, Failure> {
        let path = self.path.join(name);
        let open = || {
            match path.symlink_metadata() {
                Ok(there) if !there.is_file() => {
                    return Err(std::io::Error::other("it is no regular file"));
                }
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
            let mut options = OpenOptions::new();
            options.create(true).truncate(false).read(true).write(true);
            #[cfg(unix)]
            {
                use std::os::unix::fs::OpenOptionsExt;
                options.mode(0o600);
            }
            let file = options.open(&path)?;
            own_only(&file)?;
            Ok(file)
        };
        open().map_err(|error| {
            store_failure(format!(
                "The data folder can't be written ({error}): {}.",
                path.display()
            ))
        })
    }

    /// The lock file for changes of the user's files.
    pub(crate) fn writer_lock(&self) -> Result<PathBuf, Failure> {
        drop(self.own_file(WRITER_LOCK_FILE)?);
        Ok(self.path.join(WRITER_LOCK_FILE))
    }

    /// Whether a program holds the folder at this moment.
    pub(crate) fn is_in_use(&self) -> bool {
        let lock = OpenOptions::new()
            .read(true)
            .open(self.path.join(LOCK_FILE));
        lock.is_ok_and(|lock| matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// Takes the folder, or says who has it.
    pub(crate) fn lock(&self) -> Result<FolderLock, Failure> {
        let mut file = self.own_file(LOCK_FILE)?;
        let mut taken = file.try_lock();
        for _ in 0..LOCK_TRIES {
            if !matches!(taken, Err(TryLockError::WouldBlock)) {
                break;
            }
            std::thread::sleep(LOCK_PAUSE);
            taken = file.try_lock();
        }
        match taken {
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
        assert!(folder.is_in_use());
        drop(held);
        assert!(!folder.is_in_use());
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
        folder.make_files().unwrap();
        assert_eq!(mode(&folder.private_file()), 0o600);
        assert_eq!(mode(&folder.events_file()), 0o600);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_folder_or_no_file_is_said_and_never_waited_for() {
        let home = tempfile::tempdir().unwrap();
        assert!(
            DataFolder::existing(&home.path().join("absent"))
                .unwrap()
                .is_none()
        );
        assert!(DataFolder::existing(home.path()).unwrap().is_none());
        let file = home.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert!(DataFolder::existing(&file).is_err());
        let dangling = home.path().join("dangling");
        std::os::unix::fs::symlink("nowhere", &dangling).unwrap();
        assert!(DataFolder::existing(&dangling).is_err());
        let folder = DataFolder::prepare(&home.path().join("data")).unwrap();
        for name in [EVENTS_FILE, PRIVATE_FILE, LOCK_FILE, WRITER_LOCK_FILE] {
            rustix::fs::mknodat(
                rustix::fs::CWD,
                folder.path().join(name),
                rustix::fs::FileType::Fifo,
                rustix::fs::Mode::RWXU,
                0,
            )
            .unwrap();
        }
        assert!(DataFolder::existing(folder.path()).is_err());
        assert!(folder.make_files().is_err());
        assert!(folder.lock().is_err());
        assert!(folder.writer_lock().is_err());
    }
}
