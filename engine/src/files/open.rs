//! Opens a file to read, when it is a plain one.

use std::io::Read;

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::fs::{Dir, File, OpenOptions};
use tokio_util::sync::CancellationToken;

use crate::toolkit::{ToolError, ToolResult};

use super::{Place, RelPath, Stamp, os, words};

/// Opens what a place names. Links, hard links, folders, FIFOs, sockets and devices are refused
/// before anything is opened, since opening some of them waits or acts; what was opened is looked at
/// once more, since the name may have come to mean something else.
pub(crate) fn open_file(place: &Place) -> ToolResult<(File, Stamp)> {
    let seen = place.must_look()?;
    open_seen(&place.dir, &place.name, &seen, &place.path)
}

/// The same for a name in an open folder that was just looked at.
pub(crate) fn open_seen(
    dir: &Dir,
    name: &str,
    seen: &Stamp,
    path: &RelPath,
) -> ToolResult<(File, Stamp)> {
    words::plain_file(seen, path)?;
    let mut options = OpenOptions::new();
    options.read(true).nonblock(true).follow(FollowSymlinks::No);
    let file = dir.open_with(name, &options).map_err(|error| {
        // It was a plain file a moment ago.
        if os::met_a_link(&error) {
            words::changed(path)
        } else {
            words::explain(&error, "Opening", words::UNCHANGED, path)
        }
    })?;
    let meta = file
        .metadata()
        .map_err(|error| words::unreadable(&error, path))?;
    let stamp = Stamp::of(&meta);
    words::plain_file(&stamp, path)?;
    if stamp.id != seen.id {
        return Err(words::changed(path));
    }
    Ok((file, stamp))
}

/// The bytes of a file that has at most `most`; `None` when it has more, of which no more is read.
pub(crate) fn read_up_to(
    file: &mut File,
    most: usize,
    path: &RelPath,
    cancel: &CancellationToken,
) -> ToolResult<Option<Vec<u8>>> {
    if cancel.is_cancelled() {
        return Err(ToolError::Cancelled);
    }
    let mut bytes = Vec::new();
    file.take(most as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| words::explain(&error, "Reading", words::UNCHANGED, path))?;
    Ok((bytes.len() <= most).then_some(bytes))
}
