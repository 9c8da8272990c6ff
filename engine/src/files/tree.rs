//! Everything below a file or folder, as a fingerprint: what it takes to move or trash it as one.

use cap_fs_ext::DirExt;
use cap_std::fs::Dir;
use tokio_util::sync::CancellationToken;

use crate::toolkit::{ToolError, ToolResult};

use super::limits::{TREE_ENTRIES, TREE_LEVELS};
use super::names::first_names;
use super::path::{is_hidden, is_plain, is_private, private};
use super::{Kind, Place, Stamp, words};

/// A file, or a folder and all that is in it. Two that are equal mean that nothing has changed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Tree {
    /// The file or folder itself.
    pub(crate) top: Stamp,
    /// What is below, each folder before what is in it, sorted.
    pub(crate) below: Vec<Entry>,
}

/// One thing below.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Its path from the top.
    pub(crate) path: String,
    pub(crate) stamp: Stamp,
}

impl Tree {
    /// Takes the fingerprint. Links, private things and what is neither file nor folder are refused,
    /// hidden things too unless the caller takes them.
    pub(crate) fn scan(
        place: &Place,
        take_hidden: bool,
        cancel: &CancellationToken,
    ) -> ToolResult<Self> {
        let top = place.must_look()?;
        let mut scan = Scan {
            place,
            take_hidden,
            cancel,
            below: Vec::new(),
        };
        scan.check(&place.name, &top, &place.path.to_string())?;
        if top.kind == Kind::Directory {
            scan.folder(&place.dir, &place.name, &top, "", 1)?;
        }
        Ok(Self {
            top,
            below: scan.below,
        })
    }

    /// Files and folders, with the top.
    pub(crate) fn entries(&self) -> usize {
        self.below.len() + 1
    }

    /// Bytes of all files.
    pub(crate) fn bytes(&self) -> u64 {
        self.stamps()
            .filter(|stamp| stamp.kind == Kind::File)
            .map(|stamp| stamp.bytes)
            .sum()
    }

    /// Of all, the top first.
    pub(crate) fn stamps(&self) -> impl Iterator<Item = &Stamp> {
        std::iter::once(&self.top).chain(self.below.iter().map(|entry| &entry.stamp))
    }
}

struct Scan<'a> {
    place: &'a Place,
    take_hidden: bool,
    cancel: &'a CancellationToken,
    below: Vec<Entry>,
}

impl Scan<'_> {
    fn folder(
        &mut self,
        parent: &Dir,
        name: &str,
        stamp: &Stamp,
        prefix: &str,
        level: usize,
    ) -> ToolResult<()> {
        let shown = self.shown(prefix);
        let unreadable = |error: std::io::Error| words::unreadable(&error, &shown);
        let dir = parent.open_dir_nofollow(name).map_err(unreadable)?;
        let opened = Stamp::of(&dir.dir_metadata().map_err(unreadable)?);
        if opened.id != stamp.id {
            return Err(words::changed(&shown));
        }
        let names =
            first_names(&dir, TREE_ENTRIES + 1, |_| true, self.cancel).map_err(unreadable)?;
        if self.cancel.is_cancelled() {
            return Err(ToolError::Cancelled);
        }
        for name in &names.first {
            let Some(name) = name.to_str().filter(|name| is_plain(name)) else {
                return Err(ToolError::refused(format!(
                    "A name in this folder can't be written as a path here, so it is not touched: {shown}"
                )));
            };
            let path = if prefix.is_empty() {
                name.to_owned()
            } else {
                format!("{prefix}/{name}")
            };
            let shown = self.shown(&path);
            let seen = Stamp::look(&dir, name)
                .map_err(|error| words::unreadable(&error, &shown))?
                .ok_or_else(|| words::changed(&shown))?;
            self.check(name, &seen, &shown)?;
            if self.below.len() == TREE_ENTRIES {
                return Err(ToolError::too_large(format!(
                    "More than {TREE_ENTRIES} files and folders are in it; take a part of it: {}",
                    self.place.path
                )));
            }
            if level > TREE_LEVELS {
                return Err(ToolError::too_large(format!(
                    "Its folders are nested deeper than {TREE_LEVELS} levels; take a part of it: {}",
                    self.place.path
                )));
            }
            let is_folder = seen.kind == Kind::Directory;
            self.below.push(Entry {
                path: path.clone(),
                stamp: seen.clone(),
            });
            if is_folder {
                self.folder(&dir, name, &seen, &path, level + 1)?;
            }
        }
        Ok(())
    }

    fn check(&self, name: &str, stamp: &Stamp, shown: &str) -> ToolResult<()> {
        if is_private(name) || self.place.forbids(stamp) {
            return Err(private(shown));
        }
        if !self.take_hidden && is_hidden(name) {
            return Err(ToolError::refused(format!(
                "Hidden files and folders, and folders that hold some, are not moved: {shown}"
            )));
        }
        match stamp.kind {
            Kind::Link => Err(words::link(shown)),
            Kind::Other => Err(words::special(shown)),
            Kind::File if stamp.is_hard_linked() => Err(words::hard_link(shown)),
            Kind::File | Kind::Directory => Ok(()),
        }
    }

    fn shown(&self, path: &str) -> String {
        if path.is_empty() {
            self.place.path.to_string()
        } else {
            format!("{}/{path}", self.place.path)
        }
    }
}
