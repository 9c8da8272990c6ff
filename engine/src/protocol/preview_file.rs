//! What the window's right-hand side gets of a session's folder: a file's text, a picture, a folder's entries.

use serde::{Deserialize, Serialize};

/// What a path names, read for the person to look at. Never for a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "preview", rename_all = "snake_case")]
pub enum Preview {
    /// A text.
    Text(PreviewText),
    /// A picture.
    Picture(PreviewPicture),
    /// A folder.
    Folder(PreviewFolder),
    /// A file that is neither.
    Binary {
        /// How large, in bytes.
        bytes: u64,
        /// What it seems to be, in English.
        seems: String,
    },
    /// A file over the limit for its kind.
    TooLarge {
        /// How large, in bytes.
        bytes: u64,
        /// The limit, in bytes.
        most: u64,
        /// Whether it is that of pictures.
        picture: bool,
    },
    /// A link, a pipe, a device: nothing that is opened to look.
    Special(PreviewKind),
}

/// A text of the folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreviewText {
    /// The text, without a byte order mark. Where all lines end in CR LF, these are given as LF.
    pub text: String,
    /// How large the file is, in bytes.
    pub bytes: u64,
    /// The digest of the file's bytes, in lower-case hexadecimal digits.
    pub sha256: String,
    /// Whether the file begins with a UTF-8 byte order mark.
    pub bom: bool,
    /// How its lines end.
    pub ends: PreviewLineEnds,
    /// Whether the file may not be changed.
    pub read_only: bool,
}

/// How a text's lines end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PreviewLineEnds {
    /// There is no line end.
    #[default]
    None,
    /// All in LF.
    Lf,
    /// All in CR LF.
    CrLf,
    /// Some in this way, some in that.
    Mixed,
}

/// A picture of the folder, as the file has it. Nobody has decoded it yet: it may be broken, or a bomb.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreviewPicture {
    /// The file's bytes.
    pub bytes: Vec<u8>,
    /// Its format by its first bytes, such as `PNG`.
    pub format: String,
}

impl std::fmt::Debug for PreviewPicture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}({} bytes)", self.format, self.bytes.len())
    }
}

/// A folder's entries. Private ones are left out, as for the tools.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreviewFolder {
    /// Sorted by the bytes of their names.
    pub entries: Vec<PreviewEntry>,
    /// Whether there are more.
    pub truncated: bool,
    /// Entries whose names can't be written as a path.
    pub unnamed: usize,
}

/// One entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreviewEntry {
    /// Its name.
    pub name: String,
    /// What it is. A link is a link, whatever it leads to.
    pub kind: PreviewKind,
    /// Of a file, how large, in bytes.
    pub bytes: Option<u64>,
}

impl PreviewEntry {
    /// Whether something can be in it.
    pub fn is_folder(&self) -> bool {
        self.kind == PreviewKind::Folder
    }
}

/// What an entry of a folder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PreviewKind {
    /// A file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// A pipe, socket or device.
    Other,
}

/// What became of a change that the person wanted to keep.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "saved", rename_all = "snake_case")]
pub enum Saved {
    /// It is on the disk.
    Kept {
        /// The digest of the file's bytes now.
        sha256: String,
        /// How large the file is now, in bytes.
        bytes: u64,
        /// How its lines end now.
        ends: PreviewLineEnds,
    },
    /// Nothing was changed: the file is another one than the one that was read, or is gone.
    Conflict {
        /// The digest of what is there now; `None` when nothing is, or nothing that can be read.
        sha256: Option<String>,
    },
}
