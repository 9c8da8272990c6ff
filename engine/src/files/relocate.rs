//! Gives a file or a folder another path inside the session's folder.
//!
//! Never over something, never as a copy. A folder goes entry by entry: a new folder is made, what
//! was in the old one moves, and the old one goes when it is empty. When that stops half-way, the
//! error says what is where; nothing is lost, and nothing is tried again.

use std::io;

use cap_fs_ext::DirExt;
use cap_std::fs::Dir;
use tokio_util::sync::CancellationToken;

use crate::protocol::ToolErrorKind;
use crate::toolkit::{ToolError, ToolResult};

use super::path::is_hidden;
use super::tree::Tree;
use super::{Id, Kind, Place, RelPath, Stamp, Workspace, WriteLease, os, words};

/// Paths that an error lists one by one; of more, the first of them and the number are told.
const LISTED: usize = 200;

/// A move that was looked at, bound to all it would touch.
#[derive(Debug)]
pub(crate) struct Move {
    from: RelPath,
    to: RelPath,
    pub(crate) tree: Tree,
    parents: (Option<Id>, Option<Id>),
}

impl Move {
    /// Looks at what would move, and where to.
    pub(crate) fn bind(
        workspace: &Workspace,
        from: RelPath,
        to: RelPath,
        cancel: &CancellationToken,
    ) -> ToolResult<Self> {
        if from == to {
            return Err(ToolError::bad_arguments(format!(
                "from and to are the same path: {from}"
            )));
        }
        if to.is_within(&from) && !from.parts().is_empty() {
            return Err(into_itself(&from));
        }
        let source = workspace.place(&from)?;
        if is_hidden(&source.name) {
            return Err(ToolError::refused(format!(
                "Hidden files and folders are not moved: {from}"
            )));
        }
        let tree = Tree::scan(&source, false, cancel)?;
        if tree.top.kind == Kind::File {
            to.for_file()?;
        }
        let target = workspace.place(&to)?;
        if target.trail.contains(&tree.top.id) {
            return Err(into_itself(&from));
        }
        if target.look()?.is_some() {
            return Err(words::taken(&to));
        }
        let devices = tree.stamps().map(|stamp| stamp.id);
        let parents = (source.parent(), target.parent());
        if devices
            .map(Id::device)
            .any(|device| Some(device) != parents.1.map(Id::device))
        {
            return Err(ToolError::new(
                ToolErrorKind::Unsupported,
                format!("This lies on more than one device, and a move never copies: {from}"),
            ));
        }
        Ok(Self {
            from,
            to,
            tree,
            parents,
        })
    }

    /// Moves it, if all is still as it was.
    pub(crate) fn run(
        &self,
        lease: &WriteLease,
        workspace: &Workspace,
        cancel: &CancellationToken,
    ) -> ToolResult<()> {
        let source = workspace.place(&self.from)?;
        let target = workspace.place(&self.to)?;
        if (source.parent(), target.parent()) != self.parents
            || Tree::scan(&source, false, cancel)? != self.tree
        {
            return Err(words::changed(&self.from));
        }
        if target.look()?.is_some() {
            return Err(words::changed(&self.to));
        }
        let mut work = Work {
            plan: self,
            cancel,
            moved: Vec::new(),
            under_way: Vec::new(),
        };
        let done = match self.tree.top.kind {
            Kind::Directory => work.folder(
                lease,
                (&source.dir, &source.name),
                (&target.dir, &target.name),
                None,
            ),
            _ => work.file(
                lease,
                (&source.dir, &source.name),
                (&target.dir, &target.name),
                None,
            ),
        };
        match done {
            Ok(()) => {
                sync(&source, &target);
                Ok(())
            }
            Err(stop) => {
                work.take_back_empty(&target);
                sync(&source, &target);
                Err(work.stopped(stop))
            }
        }
    }
}

fn into_itself(from: &RelPath) -> ToolError {
    ToolError::bad_arguments(format!("A folder can't be moved into itself: {from}"))
}

/// The move is done whether or not this works; without it a power cut could show the old names again.
fn sync(source: &Place, target: &Place) {
    for place in [target, source] {
        if let Err(error) = os::sync_dir(&place.dir) {
            tracing::warn!(%error, "a move could not be confirmed on the disk");
        }
    }
}

/// Why it went no further.
enum Stop {
    Cancelled,
    Changed(String),
    System(String, io::Error),
}

struct Work<'a> {
    plan: &'a Move,
    cancel: &'a CancellationToken,
    /// Paths from the top that are at the new place.
    moved: Vec<&'a str>,
    /// New folders whose old ones are not gone yet, as names from the target's folder.
    under_way: Vec<String>,
}

/// A name in an open folder.
type At<'a> = (&'a Dir, &'a str);

impl<'a> Work<'a> {
    /// `entry` is the index below the top; `None` is the top itself.
    fn what(&self, entry: Option<usize>) -> Option<(&'a str, &'a Stamp)> {
        match entry {
            None => Some(("", &self.plan.tree.top)),
            Some(index) => {
                let entry = self.plan.tree.below.get(index)?;
                Some((&entry.path, &entry.stamp))
            }
        }
    }

    fn file(
        &mut self,
        _lease: &WriteLease,
        from: At<'_>,
        to: At<'_>,
        entry: Option<usize>,
    ) -> Result<(), Stop> {
        let Some((path, stamp)) = self.what(entry) else {
            return Ok(());
        };
        let shown = || self.shown(path);
        if self.cancel.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        let failed = |error| Stop::System(shown(), error);
        if Stamp::look(from.0, from.1).map_err(failed)?.as_ref() != Some(stamp) {
            return Err(Stop::Changed(shown()));
        }
        os::rename_new(from.0, from.1, to.0, to.1, stamp).map_err(failed)?;
        let arrived = Stamp::look(to.0, to.1).map_err(failed)?;
        if arrived.as_ref().map(|arrived| arrived.id) != Some(stamp.id) {
            // Something else took the name between the look and the move: it goes back.
            if let Some(other) = arrived {
                os::rename_new(to.0, to.1, from.0, from.1, &other).map_err(failed)?;
            }
            return Err(Stop::Changed(shown()));
        }
        self.moved.push(path);
        Ok(())
    }

    fn folder(
        &mut self,
        lease: &WriteLease,
        from: At<'_>,
        to: At<'_>,
        entry: Option<usize>,
    ) -> Result<(), Stop> {
        let Some((path, stamp)) = self.what(entry) else {
            return Ok(());
        };
        let shown = self.shown(path);
        let failed = |error| Stop::System(shown.clone(), error);
        if self.cancel.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        let old = from.0.open_dir_nofollow(from.1).map_err(failed)?;
        if Stamp::of(&old.dir_metadata().map_err(failed)?).id != stamp.id {
            return Err(Stop::Changed(shown));
        }
        to.0.create_dir(to.1).map_err(failed)?;
        self.under_way.push(path.to_owned());
        let new = to.0.open_dir_nofollow(to.1).map_err(failed)?;
        for index in self.children(entry) {
            let Some((child, stamp)) = self.what(Some(index)) else {
                continue;
            };
            let name = child.rsplit('/').next().unwrap_or(child);
            match stamp.kind {
                Kind::Directory => self.folder(lease, (&old, name), (&new, name), Some(index))?,
                _ => self.file(lease, (&old, name), (&new, name), Some(index))?,
            }
        }
        os::copy_folder_rights(&new, stamp).map_err(failed)?;
        from.0.remove_dir(from.1).map_err(failed)?;
        self.under_way.pop();
        self.moved.push(path);
        Ok(())
    }

    /// What is directly in a folder of the tree.
    fn children(&self, entry: Option<usize>) -> Vec<usize> {
        let prefix = match self.what(entry) {
            Some((path, _)) if !path.is_empty() => format!("{path}/"),
            _ => String::new(),
        };
        self.plan
            .tree
            .below
            .iter()
            .enumerate()
            .filter(|(_, entry)| {
                entry
                    .path
                    .strip_prefix(&prefix)
                    .is_some_and(|rest| !rest.contains('/'))
            })
            .map(|(index, _)| index)
            .collect()
    }

    fn shown(&self, path: &str) -> String {
        if path.is_empty() {
            self.plan.from.to_string()
        } else {
            format!("{}/{path}", self.plan.from)
        }
    }

    /// New folders that nothing was moved into go again, innermost first; one that isn't empty stays.
    fn take_back_empty(&self, target: &Place) {
        for path in self.under_way.iter().rev() {
            let Ok(mut dir) = target.dir.try_clone() else {
                return;
            };
            let mut names = vec![target.name.as_str()];
            names.extend(path.split('/').filter(|name| !name.is_empty()));
            let Some((last, parents)) = names.split_last() else {
                return;
            };
            for parent in parents {
                match dir.open_dir_nofollow(parent) {
                    Ok(next) => dir = next,
                    Err(_) => return,
                }
            }
            if dir.remove_dir(last).is_err() {
                return;
            }
        }
    }

    fn stopped(&self, stop: Stop) -> ToolError {
        if self.moved.is_empty() {
            return match stop {
                Stop::Cancelled => ToolError::Cancelled,
                Stop::Changed(path) => words::changed(path),
                Stop::System(path, error) => {
                    words::explain(&error, "Moving", "nothing was moved", path)
                }
            };
        }
        let cause = match stop {
            Stop::Cancelled => "it was cancelled".to_owned(),
            Stop::Changed(path) => format!("this changed meanwhile: {path}"),
            Stop::System(path, error) => format!("the system said `{error}` at {path}"),
        };
        let left: Vec<&str> = std::iter::once("")
            .chain(self.plan.tree.below.iter().map(|entry| entry.path.as_str()))
            .filter(|path| !self.moved.contains(path))
            .collect();
        ToolError::failed(format!(
            "The move stopped half-way because {cause}. Nothing was lost or overwritten, and it must not be repeated: the user has to look at both places.\n\
             Now in {}: {}\nStill in {}: {}",
            self.plan.to,
            list(&self.moved),
            self.plan.from,
            list(&left),
        ))
    }
}

fn list(paths: &[&str]) -> String {
    let mut shown: Vec<&str> = paths
        .iter()
        .take(LISTED)
        .map(|path| {
            if path.is_empty() {
                "the folder itself"
            } else {
                path
            }
        })
        .collect();
    let more;
    if paths.len() > LISTED {
        more = format!("and {} more", paths.len() - LISTED);
        shown.push(&more);
    }
    shown.join(", ")
}
