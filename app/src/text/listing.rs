//! A folder's listing as rows, and sizes in words.

use super::visible;

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A folder.
    Folder,
    /// A file, or anything else that isn't a folder.
    File,
}

/// An entry of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name or its path, as the tool gave it.
    pub path: String,
    /// What it is.
    pub kind: EntryKind,
    /// Its size in bytes, where it is known.
    pub bytes: Option<u64>,
}

impl Entry {
    /// The path as shown: what stands before the name, and the name.
    pub fn shown(&self) -> (String, String) {
        let path = self.path.trim_end_matches(['/', '\\']);
        let at = path.rfind(['/', '\\']).map_or(0, |at| at + 1);
        let (before, name) = path.split_at_checked(at).unwrap_or(("", path));
        (visible::line(before), visible::line(name))
    }
}

/// A size as people read it: `340 B`, `1.2 KB`, `16 MB`. A kilobyte is 1,000 bytes.
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["KB", "MB", "GB", "TB", "PB"];
    if bytes < 1_000 {
        return format!("{bytes} B");
    }
    // Tenths of the unit, rounded; from ten up, whole units.
    let mut unit_size: u64 = 1_000;
    for (index, unit) in UNITS.iter().enumerate() {
        let tenths = bytes.saturating_add(unit_size / 20) / (unit_size / 10);
        let wholes = bytes.saturating_add(unit_size / 2) / unit_size;
        if tenths < 100 {
            return format!("{}.{} {unit}", tenths / 10, tenths % 10);
        }
        if wholes < 1_000 || index + 1 == UNITS.len() {
            return format!("{wholes} {unit}");
        }
        unit_size = unit_size.saturating_mul(1_000);
    }
    format!("{bytes} B")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_read_as_people_write_them() {
        let all = [0, 999, 1_000, 1_249, 9_960, 15_500_000, 999_600, u64::MAX].map(size);
        assert_eq!(
            all,
            [
                "0 B", "999 B", "1.0 KB", "1.2 KB", "10 KB", "16 MB", "1.0 MB", "18446 PB"
            ]
        );
    }

    #[test]
    fn a_path_falls_into_place_and_name() {
        let shown = |path: &str| {
            let entry = Entry {
                path: path.into(),
                kind: EntryKind::File,
                bytes: None,
            };
            entry.shown()
        };
        assert_eq!(shown("src/date.rs"), ("src/".into(), "date.rs".into()));
        assert_eq!(shown("notes/"), (String::new(), "notes".into()));
        assert_eq!(shown("a\u{202E}b"), (String::new(), "a\\u{202e}b".into()));
    }
}
