//! The names in a folder, in one order, however many there are.

use std::collections::BinaryHeap;
use std::ffi::OsString;
use std::io;

use cap_std::fs::Dir;
use tokio_util::sync::CancellationToken;

/// Some names of a folder.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Names {
    /// The first ones by their bytes.
    pub(crate) first: Vec<OsString>,
    /// Whether there are more.
    pub(crate) more: bool,
}

/// The first `most` names, sorted by bytes. Keeps no more than that in memory. Gives up in the
/// middle when cancelled, so the caller looks at the token before it uses what came.
pub(crate) fn first_names(
    dir: &Dir,
    most: usize,
    wanted: impl Fn(&std::ffi::OsStr) -> bool,
    cancel: &CancellationToken,
) -> io::Result<Names> {
    let mut heap = BinaryHeap::new();
    let mut more = false;
    for entry in dir.entries()? {
        if cancel.is_cancelled() {
            break;
        }
        let name = entry?.file_name();
        if !wanted(&name) {
            continue;
        }
        heap.push(name);
        if heap.len() > most {
            heap.pop();
            more = true;
        }
    }
    Ok(Names {
        first: heap.into_sorted_vec(),
        more,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use cap_std::ambient_authority;

    #[test]
    fn the_first_by_bytes_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b", "a", "B", "c", "ä"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let dir = Dir::open_ambient_dir(folder.path(), ambient_authority()).unwrap();
        let cancel = CancellationToken::new();
        let names = first_names(&dir, 3, |name| name != "a", &cancel).unwrap();
        assert_eq!(names.first, ["B", "b", "c"]);
        assert!(names.more);
        let names = first_names(&dir, 5, |_| true, &cancel).unwrap();
        assert_eq!(names.first, ["B", "a", "b", "c", "ä"]);
        assert!(!names.more);
    }
}
