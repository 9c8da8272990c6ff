//! How much the file tools take and give. Each figure is here once; the tool contracts name them.

/// Entries that `files_list` gives.
pub(crate) const LIST_ENTRIES: usize = 500;

/// Bytes of text that `files_read` gives, and of a file that it reads whole.
pub(crate) const READ_BYTES: usize = 200_000;

/// Bytes of a file that `files_write` writes.
pub(crate) const WRITE_BYTES: usize = 200_000;
/// Bytes of a file that `files_write` writes over, 8 MiB: the old file is read whole, twice, to know
/// that it is still the one that the user was shown.
pub(crate) const OVERWRITE_BYTES: usize = 8 * 1024 * 1024;

/// Bytes of a file that `files_replace` changes, and of what comes out.
pub(crate) const REPLACE_FILE_BYTES: usize = 200_000;
/// Characters of each of the two pieces of `files_replace`.
pub(crate) const REPLACE_PIECE_CHARS: usize = 50_000;

/// Entries that `files_search` looks at.
pub(crate) const SEARCH_ENTRIES: usize = 2_000;
/// Levels of folders that `files_search` looks at; the folder searched holds level 1.
pub(crate) const SEARCH_LEVELS: usize = 8;
/// Bytes of the largest file that `files_search` reads.
pub(crate) const SEARCH_FILE_BYTES: u64 = 256 * 1024;
/// Bytes that one search reads in all.
pub(crate) const SEARCH_TOTAL_BYTES: u64 = 8 * 1024 * 1024;
/// Hits that one search gives.
pub(crate) const SEARCH_HITS: usize = 100;
/// Characters of paths and snippets that one search gives.
pub(crate) const SEARCH_CHARS: usize = 24_000;
/// Characters of one snippet. Long enough for a line of text, short enough for a hundred of them.
pub(crate) const SNIPPET_CHARS: usize = 240;

/// Entries below a folder that is moved or put into the trash as one.
pub(crate) const TREE_ENTRIES: usize = 2_000;
/// Levels below a folder that is moved or put into the trash as one.
pub(crate) const TREE_LEVELS: usize = 20;

/// Bytes of a text that the window shows and keeps.
pub(crate) const PREVIEW_TEXT_BYTES: usize = 20_000_000;
/// Bytes of a picture that the window shows.
pub(crate) const PREVIEW_PICTURE_BYTES: usize = 32_000_000;

/// Bytes of one name; what file systems take.
pub(crate) const NAME_BYTES: usize = 255;
/// Bytes of one path; what the system calls take.
pub(crate) const PATH_BYTES: usize = 4_096;

/// Bytes read at once from a file that is looked through without being kept.
pub(crate) const CHUNK_BYTES: usize = 64 * 1024;
