//! What a changing call is bound to: what was there when it was shown to the user.

use std::io::Read;

use cap_std::fs::File;
use tokio_util::sync::CancellationToken;

use crate::toolkit::ToolResult;

use super::open::open_file;
use super::survey::{Survey, survey};
use super::{Id, Place, RelPath, Stamp, Workspace, words};

/// A path, the folder it leads to, and what has that name there.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) path: RelPath,
    parent: Option<Id>,
    pub(crate) now: Now,
}

/// What has the name.
#[derive(Debug)]
pub(crate) enum Now {
    /// Nothing.
    Absent,
    /// A file: this one, with these bytes.
    File {
        /// Which one.
        stamp: Stamp,
        /// What is in it.
        survey: Survey,
    },
}

impl Target {
    /// Looks at what is there. Anything but nothing or a plain file is refused; so is a file of more
    /// than `most` bytes, before it is read.
    pub(crate) fn bind(
        workspace: &Workspace,
        path: &RelPath,
        most: usize,
        cancel: &CancellationToken,
    ) -> ToolResult<(Self, Place)> {
        let place = workspace.place(path)?;
        let now = if place.look()?.is_none() {
            Now::Absent
        } else {
            let (mut file, stamp) = open_file(&place)?;
            if stamp.bytes > most as u64 {
                return Err(words::file_too_large(stamp.bytes, most, path));
            }
            let survey = survey_of(&mut file, &stamp, path, cancel)?;
            Now::File { stamp, survey }
        };
        let target = Self {
            path: path.clone(),
            parent: place.parent(),
            now,
        };
        Ok((target, place))
    }

    /// Binds to nothing being there.
    pub(crate) fn bind_absent(workspace: &Workspace, path: &RelPath) -> ToolResult<(Self, Place)> {
        let place = workspace.place(path)?;
        if place.look()?.is_some() {
            return Err(words::taken(path));
        }
        let target = Self {
            path: path.clone(),
            parent: place.parent(),
            now: Now::Absent,
        };
        Ok((target, place))
    }

    /// Walks there again. The folder and what has the name in it must be what they were.
    pub(crate) fn check(
        &self,
        workspace: &Workspace,
        cancel: &CancellationToken,
    ) -> ToolResult<Place> {
        let place = workspace.place(&self.path)?;
        if place.parent() != self.parent {
            return Err(words::changed(&self.path));
        }
        match &self.now {
            Now::Absent => {
                if place.look()?.is_some() {
                    return Err(words::changed(&self.path));
                }
            }
            Now::File { stamp, survey } => {
                if place.look()?.is_none() {
                    return Err(words::changed(&self.path));
                }
                let (mut file, now) = open_file(&place)?;
                if now != *stamp || survey_of(&mut file, stamp, &self.path, cancel)? != *survey {
                    return Err(words::changed(&self.path));
                }
            }
        }
        Ok(place)
    }
}

/// Looks through a file that has as many bytes as its stamp says. One that grows meanwhile has no end.
fn survey_of(
    file: &mut File,
    stamp: &Stamp,
    path: &RelPath,
    cancel: &CancellationToken,
) -> ToolResult<Survey> {
    let found = survey(&mut file.take(stamp.bytes + 1), path, cancel)?;
    if found.bytes != stamp.bytes {
        return Err(words::changed(path));
    }
    Ok(found)
}
