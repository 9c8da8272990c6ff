//! What is in a folder.

use serde::Serialize;
use tokio_util::sync::CancellationToken;

use crate::toolkit::{ToolError, ToolResult};

use super::limits::LIST_ENTRIES;
use super::names::first_names;
use super::path::{is_plain, is_private};
use super::{Kind, RelPath, Stamp, Workspace, words};

/// A folder's entries, sorted by the bytes of their names.
#[derive(Debug, Serialize)]
pub(crate) struct Listing {
    pub(crate) path: String,
    pub(crate) entries: Vec<Entry>,
    /// Whether there are more.
    pub(crate) truncated: bool,
    /// Entries whose names can't be written as a path, so that no tool reaches them.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) unnamed: usize,
}

/// One entry. A link is shown as what it is, not as what it leads to.
#[derive(Debug, Serialize)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// Of a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bytes: Option<u64>,
    /// UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) modified: Option<String>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over a reference"
)]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Lists a folder. Private entries are left out.
pub(crate) fn list(
    workspace: &Workspace,
    path: &RelPath,
    cancel: &CancellationToken,
) -> ToolResult<Listing> {
    let folder = workspace.folder(path)?;
    let unreadable =
        |error: std::io::Error| words::explain(&error, "Listing", words::UNCHANGED, path);
    let unnamed = std::cell::Cell::new(0);
    let wanted = |name: &std::ffi::OsStr| {
        let plain = name.to_str().filter(|name| is_plain(name));
        if plain.is_none() {
            unnamed.set(unnamed.get() + 1);
        }
        plain.is_some_and(|name| !is_private(name))
    };
    let names = first_names(&folder.dir, LIST_ENTRIES, wanted, cancel).map_err(unreadable)?;
    let mut entries = Vec::with_capacity(names.first.len());
    if cancel.is_cancelled() {
        return Err(ToolError::Cancelled);
    }
    for name in &names.first {
        // What is gone since, or can't be looked at, has nothing to show.
        let (Some(name), Ok(Some(stamp))) = (name.to_str(), Stamp::look(&folder.dir, name)) else {
            continue;
        };
        if folder.forbids(&stamp) {
            continue;
        }
        entries.push(Entry {
            name: name.to_owned(),
            kind: stamp.kind,
            bytes: (stamp.kind == Kind::File).then_some(stamp.bytes),
            modified: stamp.modified_text(),
        });
    }
    Ok(Listing {
        path: path.to_string(),
        entries,
        truncated: names.more,
        unnamed: unnamed.get(),
    })
}
