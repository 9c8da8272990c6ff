//! Puts a whole new file in place at once: either all of it is there, or nothing has changed.
//!
//! The bytes go to a hidden file in the same folder first. It takes the target's place in one step,
//! and what it displaced is looked at once more: if that is not what the user was shown, both change
//! back. So nothing that came in between is lost, and a crash leaves the old file or the new one.

use std::io::{self, Write};

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt};
use cap_std::fs::{Dir, File, OpenOptions, OpenOptionsExt};

use crate::toolkit::{ToolError, ToolResult};

use super::{Place, Stamp, WriteLease, os, words};

/// Rights of a file that is being written, until it gets its own.
const PRIVATE_MODE: u32 = 0o600;
/// Rights of a new file, less what the user's mask takes.
const NEW_MODE: u32 = 0o666;

const KEPT: &str = "the file is unchanged";
const NOT_MADE: &str = "no file was made";

/// Makes a file that is not there yet. Never overwrites.
pub(crate) fn create(lease: &WriteLease, place: &Place, bytes: &[u8]) -> ToolResult<()> {
    let fail = |error: io::Error| words::explain(&error, "Writing", NOT_MADE, &place.path);
    let temp = Temp::write(lease, &place.dir, bytes, NEW_MODE, |_| Ok(())).map_err(fail)?;
    match os::rename_new(&place.dir, &temp.name, &place.dir, &place.name, &temp.stamp) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            return Err(words::changed(&place.path));
        }
        Err(error) => return Err(fail(error)),
    }
    temp.forget();
    synced(place)
}

/// Makes a folder that is not there yet. Never more than one.
pub(crate) fn make_folder(_lease: &WriteLease, place: &Place) -> ToolResult<()> {
    match place.dir.create_dir(&place.name) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            return Err(words::changed(&place.path));
        }
        Err(error) => {
            let kept = "no folder was made";
            return Err(words::explain(
                &error,
                "Making the folder",
                kept,
                &place.path,
            ));
        }
    }
    os::sync_dir(&place.dir).map_err(|error| {
        ToolError::failed(format!(
            "The folder is made, but the system could not confirm that it would survive a power cut ({error}): {}",
            place.path
        ))
    })
}

/// Replaces the file that `old` describes.
pub(crate) fn replace(
    lease: &WriteLease,
    place: &Place,
    old: &Stamp,
    bytes: &[u8],
) -> ToolResult<()> {
    let fail = |error: io::Error| words::explain(&error, "Writing", KEPT, &place.path);
    let temp = Temp::write(lease, &place.dir, bytes, PRIVATE_MODE, |file| {
        os::copy_rights(file, old)
    })
    .map_err(fail)?;
    let is_old = |name: &str| Stamp::look(&place.dir, name).map(|seen| seen.as_ref() == Some(old));
    match os::exchange(&place.dir, &temp.name, &place.name) {
        Ok(true) => {
            if is_old(&temp.name).unwrap_or(false) {
                return dispose(place, temp);
            }
            put_back(place, temp)
        }
        Ok(false) => {
            if !is_old(&place.name).map_err(fail)? {
                return Err(words::changed(&place.path));
            }
            place
                .dir
                .rename(&temp.name, &place.dir, &place.name)
                .map_err(fail)?;
            temp.forget();
            synced(place)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(words::changed(&place.path)),
        Err(error) => Err(fail(error)),
    }
}

/// The hidden name now holds the old file, whose time is over.
fn dispose(place: &Place, temp: Temp) -> ToolResult<()> {
    let name = temp.forget();
    if let Err(error) = place.dir.remove_file(&name) {
        return Err(ToolError::failed(format!(
            "The new text is in place, but the old version could not be removed ({error}) and is still there as `{name}`: {}",
            place.path
        )));
    }
    synced(place)
}

/// The hidden name now holds something that nobody was asked about: it goes back where it was.
fn put_back(place: &Place, temp: Temp) -> ToolResult<()> {
    if let Ok(true) = os::exchange(&place.dir, &temp.name, &place.name) {
        return Err(words::changed(&place.path));
    }
    let name = temp.forget();
    Err(ToolError::conflict(format!(
        "Another program changed this file at the same moment. Its version is kept as `{name}` beside it, the new text is in place. Ask the user to look: {}",
        place.path
    )))
}

fn synced(place: &Place) -> ToolResult<()> {
    os::sync_dir(&place.dir).map_err(|error| {
        ToolError::failed(format!(
            "The new text is in place, but the system could not confirm that it would survive a power cut ({error}): {}",
            place.path
        ))
    })
}

/// A hidden file that is gone when this is dropped.
struct Temp<'a> {
    dir: &'a Dir,
    name: String,
    stamp: Stamp,
    kept: bool,
}

impl<'a> Temp<'a> {
    fn write(
        _lease: &WriteLease,
        dir: &'a Dir,
        bytes: &[u8],
        mode: u32,
        finish: impl FnOnce(&File) -> io::Result<()>,
    ) -> io::Result<Self> {
        // Random, so that nobody can put something there beforehand.
        let name = format!(".wisp-{}.tmp", uuid::Uuid::now_v7().simple());
        let mut options = OpenOptions::new();
        options
            .write(true)
            .create_new(true)
            .mode(mode)
            .follow(FollowSymlinks::No);
        let mut file = dir.open_with(&name, &options)?;
        let temp = Self {
            dir,
            name,
            stamp: Stamp::of(&file.metadata()?),
            kept: false,
        };
        file.write_all(bytes)?;
        finish(&file)?;
        file.sync_all()?;
        Ok(temp)
    }

    /// It has become something else under this name: leave it.
    fn forget(mut self) -> String {
        self.kept = true;
        std::mem::take(&mut self.name)
    }
}

impl Drop for Temp<'_> {
    fn drop(&mut self) {
        let ours = Stamp::look(self.dir, &self.name)
            .is_ok_and(|seen| seen.is_some_and(|seen| seen.id == self.stamp.id));
        if !self.kept
            && ours
            && let Err(error) = self.dir.remove_file(&self.name)
        {
            tracing::warn!(%error, name = self.name, "a temporary file stays behind");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::RelPath;
    use crate::files::testing::{Yard, kind};
    use crate::permission::{Access, Permit};
    use crate::protocol::ToolErrorKind::Conflict;

    async fn lease(yard: &Yard) -> WriteLease {
        let permit = Permit::for_test(Access::ChangeInside);
        let context = &yard.context;
        context.writer.lease(permit, &context.cancel).await.unwrap()
    }

    fn place(yard: &Yard) -> Place {
        let workspace = yard.context.workspace().unwrap();
        workspace.place(&RelPath::parse("a").unwrap()).unwrap()
    }

    /// The last check is past and something else takes the name: it is put back, whatever it is.
    #[tokio::test]
    async fn what_came_in_at_the_last_moment_is_not_lost() {
        let yard = Yard::new();
        let lease = lease(&yard).await;
        yard.write("a", "old");
        let old = place(&yard).must_look().unwrap();
        let path = yard.inside("a");
        std::fs::remove_file(&path).unwrap();
        assert_eq!(kind(replace(&lease, &place(&yard), &old, b"new")), Conflict);
        assert!(yard.names("").is_empty());
        yard.write("a", "theirs");
        assert_eq!(kind(replace(&lease, &place(&yard), &old, b"new")), Conflict);
        assert_eq!(yard.read("a"), b"theirs");
        std::fs::remove_file(&path).unwrap();
        std::fs::write(yard.outside("b"), "outside").unwrap();
        std::os::unix::fs::symlink(yard.outside("b"), &path).unwrap();
        assert_eq!(kind(replace(&lease, &place(&yard), &old, b"new")), Conflict);
        assert_eq!(std::fs::read_link(&path).unwrap(), yard.outside("b"));
        assert_eq!(std::fs::read(yard.outside("b")).unwrap(), b"outside");
        std::fs::remove_file(&path).unwrap();
        yard.write("a/inner", "kept");
        assert_eq!(kind(replace(&lease, &place(&yard), &old, b"new")), Conflict);
        assert_eq!(yard.read("a/inner"), b"kept");
        assert_eq!(yard.names(""), ["a"], "no temporary file stays");
    }

    #[tokio::test]
    async fn a_new_file_never_goes_over_one() {
        let yard = Yard::new();
        let lease = lease(&yard).await;
        yard.write("a", "theirs");
        assert_eq!(kind(create(&lease, &place(&yard), b"new")), Conflict);
        assert_eq!(kind(make_folder(&lease, &place(&yard))), Conflict);
        std::fs::remove_file(yard.inside("a")).unwrap();
        std::os::unix::fs::symlink(yard.outside("none"), yard.inside("a")).unwrap();
        assert_eq!(kind(create(&lease, &place(&yard), b"new")), Conflict);
        assert_eq!(kind(make_folder(&lease, &place(&yard))), Conflict);
        assert!(!yard.outside("none").exists());
        assert_eq!(yard.names(""), ["a"]);
    }
}
