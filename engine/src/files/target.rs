//! What a changing call is bound to: what was there when it was shown to the user.

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
    /// Looks at what is there. Anything but nothing or a plain file is refused.
    pub(crate) fn bind(
        workspace: &Workspace,
        path: &RelPath,
        cancel: &CancellationToken,
    ) -> ToolResult<(Self, Place)> {
        let place = workspace.place(path)?;
        let now = Now::of(&place, cancel)?;
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
            Now::File { stamp, survey } => match Now::of(&place, cancel)? {
                Now::File {
                    stamp: stamp_now,
                    survey: survey_now,
                } if stamp_now == *stamp && survey_now == *survey => {}
                _ => return Err(words::changed(&self.path)),
            },
        }
        Ok(place)
    }
}

impl Now {
    fn of(place: &Place, cancel: &CancellationToken) -> ToolResult<Self> {
        if place.look()?.is_none() {
            return Ok(Self::Absent);
        }
        let (mut file, stamp) = open_file(place)?;
        let survey = survey(&mut file, &place.path, cancel)?;
        Ok(Self::File { stamp, survey })
    }
}
