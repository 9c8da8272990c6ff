//! Paths as the model writes them: relative to the session's folder, checked without touching the disk.
//!
//! A [`RelPath`] names something inside the folder that is not private. It says nothing of what is
//! there: links are found by walking it (see [`super::Workspace`]).

use std::fmt;
use std::path::{Path, PathBuf};

use crate::toolkit::{ToolError, ToolResult};

use super::limits::{NAME_BYTES, PATH_BYTES};

/// Names that no tool enters, at any depth, as folder or file.
const PRIVATE: [&str; 9] = [
    ".git",
    ".hg",
    ".svn",
    ".codepapr",
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
];

/// Names of folders with keys that a home may have.
const KEY_FOLDERS: [&str; 5] = [".ssh", ".gnupg", ".aws", ".azure", ".kube"];

/// The folders of a home that no tool may enter from anywhere, for [`super::Workspace::open`].
pub(crate) fn key_folders(home: &Path) -> Vec<PathBuf> {
    KEY_FOLDERS.iter().map(|name| home.join(name)).collect()
}

/// A checked path: no component is empty, `.`, `..`, private or unprintable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RelPath {
    parts: Vec<String>,
    ends_as_folder: bool,
}

impl RelPath {
    /// Checks a path. `.` is the folder itself; `..` is resolved here, before anything is looked up.
    pub(crate) fn parse(text: &str) -> ToolResult<Self> {
        if text.is_empty() {
            return Err(ToolError::bad_arguments(
                "The path is empty. Give one relative to the session's folder; the folder itself is `.`.",
            ));
        }
        if text.len() > PATH_BYTES {
            return Err(ToolError::bad_arguments(format!(
                "The path has {} bytes; {PATH_BYTES} is the most.",
                text.len()
            )));
        }
        if text.starts_with('/') {
            return Err(ToolError::refused(format!(
                "Absolute paths are refused, also inside the folder. Give the path relative to the session's folder: {}",
                text.escape_debug()
            )));
        }
        let mut parts: Vec<String> = Vec::new();
        for part in text.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    if parts.pop().is_none() {
                        return Err(ToolError::refused(format!(
                            "The path leaves the session's folder. Only what is inside can be used: {}",
                            text.escape_debug()
                        )));
                    }
                }
                name => parts.push(checked_name(name, text)?),
            }
        }
        if let Some(name) = parts.iter().find(|name| is_private(name)) {
            return Err(private(name));
        }
        let last = text.rsplit('/').next().unwrap_or_default();
        Ok(Self {
            parts,
            ends_as_folder: matches!(last, "" | "." | ".."),
        })
    }

    /// The folder itself.
    pub(crate) fn root() -> Self {
        Self {
            parts: Vec::new(),
            ends_as_folder: true,
        }
    }

    /// The names, outermost first.
    pub(crate) fn parts(&self) -> &[String] {
        &self.parts
    }

    /// The names of the folder it is in, and its own. The session's folder has none.
    pub(crate) fn split(&self) -> Option<(&[String], &str)> {
        self.parts
            .split_last()
            .map(|(name, parent)| (parent, name.as_str()))
    }

    /// The same, for a path that must name a file: `notes/` does not.
    pub(crate) fn for_file(&self) -> ToolResult<&Self> {
        if self.ends_as_folder {
            return Err(ToolError::bad_arguments(format!(
                "This path names a folder, not a file: {self}"
            )));
        }
        Ok(self)
    }

    /// Whether it is `other` or inside of it.
    pub(crate) fn is_within(&self, other: &Self) -> bool {
        self.parts.starts_with(&other.parts)
    }

    /// Something in the folder that this path names. The name comes from a listing and passes [`is_plain`].
    pub(crate) fn join(&self, name: &str) -> Self {
        let mut parts = self.parts.clone();
        parts.push(name.to_owned());
        Self {
            parts,
            ends_as_folder: false,
        }
    }
}

impl fmt::Display for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.parts.is_empty() {
            return f.write_str(".");
        }
        f.write_str(&self.parts.join("/"))
    }
}

fn checked_name(name: &str, whole: &str) -> ToolResult<String> {
    if !is_plain(name) {
        return Err(ToolError::refused(format!(
            "Names with control characters, text direction marks or a backslash are refused; folders are separated by `/`: {}",
            whole.escape_debug()
        )));
    }
    if name.len() > NAME_BYTES {
        return Err(ToolError::bad_arguments(format!(
            "A name in the path has {} bytes; {NAME_BYTES} is the most.",
            name.len()
        )));
    }
    Ok(name.to_owned())
}

/// Whether a name can be written as part of a path here. Marks that turn the direction of text are
/// not plain: with them a card could show another name than the one that is used.
pub(crate) fn is_plain(name: &str) -> bool {
    !name.chars().any(|c| {
        c.is_control()
            || matches!(c, '\\' | '/' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    })
}

/// Whether no tool may touch what has this name. Compared as the most forgiving file system would:
/// case is folded, invisible characters and dots or blanks at the end don't count.
pub(crate) fn is_private(name: &str) -> bool {
    let visible: String = name
        .chars()
        .filter(|c| {
            !matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
        })
        .collect();
    let folded = fold(visible.trim_end_matches(['.', ' ']));
    PRIVATE.contains(&folded.as_str())
}

/// Case folding that also joins the rare letters that only their upper case shows to be equal.
pub(crate) fn fold(text: &str) -> String {
    text.to_uppercase().to_lowercase()
}

/// Whether a name is hidden by its dot.
pub(crate) fn is_hidden(name: &str) -> bool {
    name.starts_with('.')
}

/// The refusal of a private name.
pub(crate) fn private(name: &str) -> ToolError {
    ToolError::refused(format!(
        "This is private and neither listed, read, searched nor changed: {}",
        name.escape_debug()
    ))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::files::testing::kind;
    use crate::protocol::ToolErrorKind::{BadArguments, Refused};

    fn shown(text: &str) -> String {
        RelPath::parse(text).unwrap().to_string()
    }

    #[test]
    fn paths_inside_are_put_into_one_form() {
        assert_eq!(shown("."), ".");
        assert_eq!(shown("./a//b/./c"), "a/b/c");
        assert_eq!(shown("a/../b"), "b");
        assert_eq!(shown("a/.."), ".");
        assert_eq!(shown("…/文件 1.txt"), "…/文件 1.txt");
        assert_eq!(shown(".gitignore"), ".gitignore");
        assert_eq!(shown(".git/../a"), "a");
        assert!(RelPath::parse("a/").unwrap().for_file().is_err());
        assert!(RelPath::parse("a").unwrap().for_file().is_ok());
    }

    #[test]
    fn what_leaves_or_is_private_is_refused() {
        for text in [
            "/",
            "/etc/passwd",
            "..",
            "../a",
            "a/../../b",
            "a\\b",
            "C:\\a",
            "a\0b",
            "a\nb",
            "a\u{7f}",
            "a\u{202e}b",
            ".git",
            ".GIT/config",
            "a/.Ssh",
            "a/b/.codepapr/x",
            ".git.",
            ".git ",
            ".g\u{200c}it",
            ".\u{17f}\u{17f}h",
            ".\u{212a}ube",
            ".aws/credentials",
        ] {
            assert_eq!(kind(RelPath::parse(text)), Refused, "{text:?}");
        }
        assert_eq!(kind(RelPath::parse("")), BadArguments);
    }

    #[test]
    fn key_folders_are_private_by_name_too() {
        let folders = key_folders(Path::new("/home/me"));
        assert_eq!(folders[0], Path::new("/home/me/.ssh"));
        assert!(KEY_FOLDERS.iter().all(|name| is_private(name)));
    }

    #[test]
    fn names_and_paths_have_a_length() {
        assert!(RelPath::parse(&"a".repeat(NAME_BYTES)).is_ok());
        assert_eq!(
            kind(RelPath::parse(&"a".repeat(NAME_BYTES + 1))),
            BadArguments
        );
        let long = "ab/".repeat(PATH_BYTES / 3) + "a";
        assert_eq!(long.len(), PATH_BYTES);
        assert!(RelPath::parse(&long).is_ok());
        assert_eq!(kind(RelPath::parse(&(long + "b"))), BadArguments);
    }

    proptest! {
        #[test]
        fn what_is_taken_stays_inside_and_means_itself(text in "([a.~ \\\\\u{0}-\u{20}é]{0,4}/){0,5}(\\.git|\\.\\.|[a-z.]{0,5})") {
            if let Ok(path) = RelPath::parse(&text) {
                let shown = path.to_string();
                for part in path.parts() {
                    prop_assert!(!matches!(part.as_str(), "" | "." | "..") && is_plain(part) && !is_private(part));
                }
                let again = RelPath::parse(&shown).unwrap();
                prop_assert_eq!(again.parts(), path.parts());
            }
        }
    }
}
