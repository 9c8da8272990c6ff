//! What something on the disk is, by what the system tells of it without reading it.

use std::io;
use std::path::Path;

use cap_std::fs::{Dir, Metadata, MetadataExt};
use serde::Serialize;

/// What it is. A link is never followed, so it is a kind of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Directory,
    /// A symbolic link, wherever it leads.
    Link,
    /// A FIFO, socket or device.
    Other,
}

/// Which one it is: the same name may come to mean another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Id {
    dev: u64,
    ino: u64,
}

impl Id {
    /// The device it is on.
    pub(crate) fn device(self) -> u64 {
        self.dev
    }
}

/// All that is compared to tell that nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(crate) kind: Kind,
    pub(crate) id: Id,
    pub(crate) bytes: u64,
    pub(crate) modified: (i64, i64),
    pub(crate) mode: u32,
    pub(crate) links: u64,
    pub(crate) owner: (u32, u32),
}

/// The bits of a mode that are rights.
const RIGHTS: u32 = 0o7777;
/// The bits of a mode that let anybody write.
const WRITERS: u32 = 0o222;

impl Stamp {
    /// From what the system told.
    pub(crate) fn of(meta: &Metadata) -> Self {
        let kind = if meta.is_symlink() {
            Kind::Link
        } else if meta.is_dir() {
            Kind::Directory
        } else if meta.is_file() {
            Kind::File
        } else {
            Kind::Other
        };
        Self {
            kind,
            id: Id {
                dev: meta.dev(),
                ino: meta.ino(),
            },
            bytes: meta.size(),
            modified: (meta.mtime(), meta.mtime_nsec()),
            mode: meta.mode(),
            links: meta.nlink(),
            owner: (meta.uid(), meta.gid()),
        }
    }

    /// Of a name in a folder, links not followed; `None` when nothing has this name.
    pub(crate) fn look(dir: &Dir, name: impl AsRef<Path>) -> io::Result<Option<Self>> {
        match dir.symlink_metadata(name) {
            Ok(meta) => Ok(Some(Self::of(&meta))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Whether it is a file that also has another name.
    pub(crate) fn is_hard_linked(&self) -> bool {
        self.kind == Kind::File && self.links > 1
    }

    /// Its rights, without what it is.
    pub(crate) fn rights(&self) -> u32 {
        self.mode & RIGHTS
    }

    /// Whether nobody may write it.
    pub(crate) fn is_read_only(&self) -> bool {
        self.mode & WRITERS == 0
    }

    /// When it was last changed, as UTC text.
    pub(crate) fn modified_text(&self) -> Option<String> {
        jiff::Timestamp::from_second(self.modified.0)
            .ok()
            .map(|time| time.to_string())
    }
}
