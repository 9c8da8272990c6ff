//! A session's folder, and how to get from it to what a path names.

use std::io;
use std::path::{Path, PathBuf};

use cap_fs_ext::DirExt;
use cap_std::ambient_authority;
use cap_std::fs::Dir;

use crate::toolkit::{ToolError, ToolResult};

use super::path::{fold, is_private, private};
use super::{Id, Kind, RelPath, Stamp, os, words};

/// An open folder. When something else takes its name, or it is moved, nothing more is done in it.
#[derive(Debug)]
pub(crate) struct Workspace {
    root: Dir,
    path: PathBuf,
    denied: Vec<PathBuf>,
}

/// Why a folder can't be a session's.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpenError {
    /// Nothing is there.
    #[error("There is no such folder: {}", .0.display())]
    Missing(PathBuf),
    /// It is a file, or something else.
    #[error("This is not a folder: {}", .0.display())]
    NoFolder(PathBuf),
    /// It is one that no tool may enter, or lies in one.
    #[error("This folder is private: no tool may enter it: {}", .0.display())]
    Private(PathBuf),
    /// The system said no.
    #[error("The folder can't be opened ({source}): {}", .path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// A name in an open folder; what it names may or may not be there.
#[derive(Debug)]
pub(crate) struct Place {
    /// The folder it is in.
    pub(crate) dir: Dir,
    /// Its name there.
    pub(crate) name: String,
    /// The folders from the session's to that one.
    pub(crate) trail: Vec<Id>,
    /// The whole path, for messages.
    pub(crate) path: RelPath,
    denied: Vec<Id>,
}

impl Place {
    /// The folder it is in.
    pub(crate) fn parent(&self) -> Option<Id> {
        self.trail.last().copied()
    }

    /// What has this name now, if anything. A folder that no tool may enter is refused.
    pub(crate) fn look(&self) -> ToolResult<Option<Stamp>> {
        let stamp = Stamp::look(&self.dir, &self.name)
            .map_err(|error| words::unreadable(&error, &self.path))?;
        if stamp.as_ref().is_some_and(|stamp| self.forbids(stamp)) {
            return Err(private(&self.path.to_string()));
        }
        Ok(stamp)
    }

    /// What has this name now; an error when nothing has.
    pub(crate) fn must_look(&self) -> ToolResult<Stamp> {
        self.look()?.ok_or_else(|| words::not_there(&self.path))
    }

    /// Whether this is one of the folders that no tool may enter.
    pub(crate) fn forbids(&self, stamp: &Stamp) -> bool {
        self.denied.contains(&stamp.id)
    }
}

/// An open folder inside the session's, or that one itself.
#[derive(Debug)]
pub(crate) struct Folder {
    /// Its handle.
    pub(crate) dir: Dir,
    denied: Vec<Id>,
}

impl Folder {
    /// Whether this is one of the folders that no tool may enter.
    pub(crate) fn forbids(&self, stamp: &Stamp) -> bool {
        self.denied.contains(&stamp.id)
    }
}

impl Workspace {
    /// Opens the folder at an absolute path, links resolved. No tool enters the denied folders (the
    /// program's own data, key folders of the home), wherever they lie and whenever they come to be.
    pub(crate) fn open(path: &Path, denied: &[PathBuf]) -> Result<Self, OpenError> {
        let fail = |source: io::Error| match source.kind() {
            io::ErrorKind::NotFound => OpenError::Missing(path.to_owned()),
            io::ErrorKind::NotADirectory => OpenError::NoFolder(path.to_owned()),
            _ => OpenError::Io {
                path: path.to_owned(),
                source,
            },
        };
        let real = path.canonicalize().map_err(fail)?;
        let root = Dir::open_ambient_dir(&real, ambient_authority()).map_err(fail)?;
        let id = Stamp::of(&root.dir_metadata().map_err(fail)?).id;
        let workspace = Self {
            root,
            denied: denied.iter().map(|path| resolved(path)).collect(),
            path: real,
        };
        let in_private = workspace
            .path
            .iter()
            .any(|name| is_private(&name.to_string_lossy()));
        if in_private || workspace.lies_in_denied(&[]) || workspace.denied_ids().contains(&id) {
            return Err(OpenError::Private(path.to_owned()));
        }
        Ok(workspace)
    }

    /// Its real path, for messages.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The real path of something inside, for a person to read.
    pub(crate) fn real(&self, path: &RelPath) -> String {
        let mut real = self.path.clone();
        real.extend(path.parts());
        real.to_string_lossy().into_owned()
    }

    /// The name that a path ends in, in the folder that it leads to.
    pub(crate) fn place(&self, path: &RelPath) -> ToolResult<Place> {
        let Some((parent, name)) = path.split() else {
            return Err(ToolError::bad_arguments(
                "The session's folder itself can't be used here, only what is inside.",
            ));
        };
        if self.lies_in_denied(path.parts()) {
            return Err(private(&path.to_string()));
        }
        let (dir, trail, denied) = self.walk(parent)?;
        Ok(Place {
            dir,
            name: name.to_owned(),
            trail,
            path: path.clone(),
            denied,
        })
    }

    /// The folder that a path names.
    pub(crate) fn folder(&self, path: &RelPath) -> ToolResult<Folder> {
        if self.lies_in_denied(path.parts()) {
            return Err(private(&path.to_string()));
        }
        let (dir, _, denied) = self.walk(path.parts())?;
        Ok(Folder { dir, denied })
    }

    /// Opens one folder after another. No link is followed, also none that takes a folder's place meanwhile.
    fn walk(&self, parts: &[String]) -> ToolResult<(Dir, Vec<Id>, Vec<Id>)> {
        let denied = self.denied_ids();
        let here = || parts.join("/");
        let step = |dir: &Dir| dir.dir_metadata().map(|meta| Stamp::of(&meta));
        let mut dir = self
            .root
            .try_clone()
            .map_err(|error| words::unreadable(&error, "."))?;
        let top = step(&dir).map_err(|error| words::unreadable(&error, "."))?;
        if top.links == 0 {
            return Err(ToolError::failed(format!(
                "The session's folder is gone from the disk; nothing can be done in it: {}",
                self.path.display()
            )));
        }
        // The card names a path: what it leads to must still be what the session was opened on.
        let named = Dir::open_ambient_dir(&self.path, ambient_authority())
            .and_then(|dir| dir.dir_metadata());
        if named.map_or(true, |named| Stamp::of(&named).id != top.id) {
            return Err(ToolError::conflict(format!(
                "The session's folder was moved, or something else has its name now. Nothing was touched. Ask the user: {}",
                self.path.display()
            )));
        }
        let mut trail = vec![top.id];
        for (index, part) in parts.iter().enumerate() {
            let next = dir.open_dir_nofollow(part).map_err(|error| {
                let shown = parts.get(..=index).unwrap_or(parts).join("/");
                why_not_entered(&dir, part, &error, &shown)
            })?;
            let stamp = step(&next).map_err(|error| words::unreadable(&error, here()))?;
            if denied.contains(&stamp.id) {
                return Err(private(&here()));
            }
            trail.push(stamp.id);
            dir = next;
        }
        Ok((dir, trail, denied))
    }

    /// The denied folders that exist now. Asked anew each time: one may have come to be.
    fn denied_ids(&self) -> Vec<Id> {
        self.denied
            .iter()
            .filter_map(|path| Dir::open_ambient_dir(path, ambient_authority()).ok())
            .filter_map(|dir| dir.dir_metadata().ok())
            .map(|meta| Stamp::of(&meta).id)
            .collect()
    }

    /// Whether a path inside leads into a denied folder by its name alone.
    fn lies_in_denied(&self, parts: &[String]) -> bool {
        let folded = |path: &Path| -> Vec<String> {
            path.iter()
                .map(|part| fold(&part.to_string_lossy()))
                .collect()
        };
        let mut real = folded(&self.path);
        real.extend(parts.iter().map(|part| fold(part)));
        self.denied
            .iter()
            .any(|denied| real.starts_with(&folded(denied)))
    }
}

/// The path with the links in it resolved, as far as it exists.
fn resolved(path: &Path) -> PathBuf {
    path.ancestors()
        .find_map(|known| {
            let real = known.canonicalize().ok()?;
            let rest = path.strip_prefix(known).ok()?;
            Some(real.join(rest))
        })
        .unwrap_or_else(|| path.to_owned())
}

fn why_not_entered(dir: &Dir, name: &str, error: &io::Error, shown: &str) -> ToolError {
    match Stamp::look(dir, name) {
        Ok(None) => ToolError::not_found(format!(
            "There is no such folder. Look with files_list, or make it with files_mkdir: {shown}"
        )),
        Ok(Some(stamp)) if stamp.kind != Kind::Directory => match words::folder(&stamp, shown) {
            Err(refusal) => refusal,
            Ok(()) => words::unreadable(error, shown),
        },
        // It was a link or a file a moment ago.
        Ok(Some(_)) if os::met_a_link(error) => words::changed(shown),
        _ => words::unreadable(error, shown),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::testing::kind;
    use crate::protocol::ToolErrorKind::{Conflict, Failed, NotFound, Refused};

    #[test]
    fn only_a_folder_that_is_not_private_opens() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("file"), "x").unwrap();
        std::fs::create_dir_all(at("p/.git/x")).unwrap();
        std::fs::create_dir_all(at("data/inner")).unwrap();
        std::os::unix::fs::symlink(at("data"), at("way")).unwrap();
        let denied = [at("data")];
        let open = |name: &str| Workspace::open(&at(name), &denied);
        assert!(matches!(open("none"), Err(OpenError::Missing(_))));
        assert!(matches!(open("file"), Err(OpenError::NoFolder(_))));
        assert!(matches!(open("file/x"), Err(OpenError::NoFolder(_))));
        assert!(matches!(open("p/.git/x"), Err(OpenError::Private(_))));
        for name in ["data", "data/inner", "way", "way/inner"] {
            assert!(matches!(open(name), Err(OpenError::Private(_))), "{name}");
        }
        assert!(open("p").is_ok());
        let error = open("file").unwrap_err();
        assert!(error.to_string().starts_with("This is not a folder: /"));
    }

    #[test]
    fn denied_folders_are_found_by_name_and_by_identity() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(at("keys/inner")).unwrap();
        let workspace = Workspace::open(folder.path(), &[at("keys"), at("later")]).unwrap();
        let place = |text: &str| workspace.place(&RelPath::parse(text).unwrap());
        for text in [
            "keys",
            "keys/a",
            "KEYS/a",
            "keys/inner/a",
            "later",
            "later/a",
        ] {
            assert_eq!(kind(place(text)), Refused, "{text}");
        }
        std::fs::rename(at("keys"), at("renamed")).unwrap();
        assert!(
            place("renamed/a").is_ok(),
            "the folder at the denied path is another one now"
        );
        std::fs::rename(at("renamed"), at("keys")).unwrap();
        assert_eq!(
            kind(workspace.folder(&RelPath::parse("keys/inner").unwrap())),
            Refused
        );
    }

    #[test]
    fn a_denied_path_through_a_link_is_the_real_one_before_it_exists() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("real")).unwrap();
        std::os::unix::fs::symlink(at("real"), at("way")).unwrap();
        let workspace = Workspace::open(&at("real"), &[at("way/keys/inner")]).unwrap();
        let place = |text: &str| workspace.place(&RelPath::parse(text).unwrap());
        assert_eq!(kind(place("keys/inner")), Refused);
        assert!(place("keys").is_ok());
    }

    #[test]
    fn a_folder_that_is_gone_or_was_moved_is_not_worked_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("w");
        std::fs::create_dir(&path).unwrap();
        let workspace = Workspace::open(&path, &[]).unwrap();
        assert_eq!(
            kind(workspace.folder(&RelPath::parse("none").unwrap())),
            NotFound
        );
        std::fs::rename(&path, folder.path().join("v")).unwrap();
        assert_eq!(kind(workspace.folder(&RelPath::root())), Conflict);
        std::fs::create_dir(&path).unwrap();
        assert_eq!(
            kind(workspace.folder(&RelPath::root())),
            Conflict,
            "another one has its name"
        );
        std::fs::remove_dir(&path).unwrap();
        std::fs::rename(folder.path().join("v"), &path).unwrap();
        assert!(workspace.folder(&RelPath::root()).is_ok(), "it is back");
        std::fs::remove_dir(&path).unwrap();
        assert_eq!(kind(workspace.folder(&RelPath::root())), Failed);
    }
}
