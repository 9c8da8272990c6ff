//! A session's folder.

use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;

/// An open folder. It stays the same folder when something else takes its name.
#[derive(Debug)]
pub(crate) struct Workspace {
    root: Dir,
    path: PathBuf,
}

impl Workspace {
    /// Opens the folder at an absolute path, links resolved.
    pub(crate) fn open(path: &Path) -> std::io::Result<Self> {
        let path = path.canonicalize()?;
        let root = Dir::open_ambient_dir(&path, ambient_authority())?;
        Ok(Self { root, path })
    }

    /// Its real path, for messages.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Its handle.
    pub(crate) fn root(&self) -> &Dir {
        &self.root
    }
}
