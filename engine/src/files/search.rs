//! Looks for plain text in names or contents below a folder.
//!
//! Bounded in every direction, and it counts what it passed over: what was skipped is not "no match".

use cap_fs_ext::DirExt;
use cap_std::fs::Dir;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use crate::toolkit::{ToolError, ToolResult};

use super::limits::{
    SEARCH_CHARS, SEARCH_ENTRIES, SEARCH_FILE_BYTES, SEARCH_HITS, SEARCH_LEVELS,
    SEARCH_TOTAL_BYTES, SNIPPET_CHARS,
};
use super::names::first_names;
use super::open::{open_seen, read_up_to};
use super::path::{is_hidden, is_plain, is_private};
use super::text::BOM_CHAR;
use super::{Folder, Kind, Place, RelPath, Stamp, Workspace, words};

/// Folders of made or fetched files.
const IGNORED: [&str; 6] = [
    "node_modules",
    "dist",
    "build",
    "coverage",
    "vendor",
    "target",
];

/// Plain text to look for. Capital letters in it make it case-sensitive.
pub(crate) struct Query {
    text: String,
    exact: bool,
}

impl Query {
    /// From the model's text.
    pub(crate) fn new(text: &str) -> ToolResult<Self> {
        if text.is_empty() {
            return Err(ToolError::bad_arguments(
                "The query is empty. Give the text to look for.",
            ));
        }
        if text.contains(['\n', '\r']) {
            return Err(ToolError::bad_arguments(
                "The query has a line end, but lines are searched one by one. Give a part of one line.",
            ));
        }
        let exact = text.chars().any(char::is_uppercase);
        Ok(Self {
            text: if exact {
                text.to_owned()
            } else {
                text.to_lowercase()
            },
            exact,
        })
    }

    /// Where it is in a line, in characters.
    fn find(&self, line: &str) -> Option<usize> {
        let lower;
        let line = if self.exact {
            line
        } else {
            lower = line.to_lowercase();
            &lower
        };
        let at = line.find(&self.text)?;
        Some(line.get(..at).unwrap_or_default().chars().count())
    }
}

/// Whether names or contents are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Where {
    Names,
    Contents,
}

/// What was found, sorted by path and line.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Found {
    pub(crate) hits: Vec<Hit>,
    /// Whether a limit kept something from being searched or shown.
    pub(crate) truncated: bool,
    pub(crate) skipped: Skipped,
}

/// One place.
#[derive(Debug, Serialize)]
pub(crate) struct Hit {
    pub(crate) path: String,
    pub(crate) kind: Kind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) snippet: Option<String>,
}

/// How many were passed over, by reason. A folder that was passed over counts once.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Skipped {
    pub(crate) hidden: usize,
    pub(crate) links: usize,
    pub(crate) private: usize,
    pub(crate) binary: usize,
    pub(crate) too_large: usize,
    pub(crate) ignored: usize,
    pub(crate) unreadable: usize,
}

/// Searches a file, or a folder and what is below it.
pub(crate) fn search(
    workspace: &Workspace,
    path: &RelPath,
    query: &Query,
    what: Where,
    cancel: &CancellationToken,
) -> ToolResult<Found> {
    let mut search = Search {
        query,
        what,
        cancel,
        found: Found::default(),
        entries: 0,
        bytes: 0,
        chars: 0,
        full: false,
    };
    if let Some((place, stamp)) = single(workspace, path)? {
        words::plain_file(&stamp, path)?;
        search.entry(&place.dir, &place.name, &stamp, path)?;
    } else {
        let folder = workspace.folder(path)?;
        search.folder(&folder, &folder.dir, path, 1)?;
    }
    search
        .found
        .hits
        .sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
    Ok(search.found)
}

/// What the path names, unless that is a folder.
fn single(workspace: &Workspace, path: &RelPath) -> ToolResult<Option<(Place, Stamp)>> {
    if path.split().is_none() {
        return Ok(None);
    }
    let place = workspace.place(path)?;
    let stamp = place.must_look()?;
    Ok((stamp.kind != Kind::Directory).then_some((place, stamp)))
}

struct Search<'a> {
    query: &'a Query,
    what: Where,
    cancel: &'a CancellationToken,
    found: Found,
    entries: usize,
    bytes: u64,
    chars: usize,
    full: bool,
}

impl Search<'_> {
    fn folder(&mut self, top: &Folder, dir: &Dir, path: &RelPath, level: usize) -> ToolResult<()> {
        let left = SEARCH_ENTRIES - self.entries;
        let names = match first_names(dir, left, |_| true, self.cancel) {
            Ok(names) => names,
            Err(error) if level == 1 => return Err(words::unreadable(&error, path)),
            Err(_) => {
                self.found.skipped.unreadable += 1;
                return Ok(());
            }
        };
        if self.cancel.is_cancelled() {
            return Err(ToolError::Cancelled);
        }
        self.found.truncated |= names.more;
        for name in &names.first {
            if self.cancel.is_cancelled() {
                return Err(ToolError::Cancelled);
            }
            if self.entries == SEARCH_ENTRIES {
                self.found.truncated = true;
                self.full = true;
            }
            if self.full {
                return Ok(());
            }
            self.entries += 1;
            let skipped = &mut self.found.skipped;
            let Some(name) = name.to_str().filter(|name| is_plain(name)) else {
                skipped.unreadable += 1;
                continue;
            };
            let Ok(Some(stamp)) = Stamp::look(dir, name) else {
                skipped.unreadable += 1;
                continue;
            };
            if is_private(name) || top.forbids(&stamp) {
                skipped.private += 1;
            } else if is_hidden(name) {
                skipped.hidden += 1;
            } else if stamp.kind == Kind::Link || stamp.is_hard_linked() {
                skipped.links += 1;
            } else if stamp.kind == Kind::Other {
                skipped.unreadable += 1;
            } else if stamp.kind == Kind::Directory && IGNORED.contains(&name) {
                skipped.ignored += 1;
            } else {
                let path = path.join(name);
                self.entry(dir, name, &stamp, &path)?;
                if stamp.kind == Kind::Directory {
                    self.enter(top, dir, name, &stamp, &path, level)?;
                }
            }
        }
        Ok(())
    }

    fn enter(
        &mut self,
        top: &Folder,
        dir: &Dir,
        name: &str,
        stamp: &Stamp,
        path: &RelPath,
        level: usize,
    ) -> ToolResult<()> {
        if self.full {
            return Ok(());
        }
        if level == SEARCH_LEVELS {
            self.found.truncated = true;
            return Ok(());
        }
        let opened = dir.open_dir_nofollow(name).ok().filter(|inner| {
            inner
                .dir_metadata()
                .is_ok_and(|meta| Stamp::of(&meta).id == stamp.id)
        });
        let Some(inner) = opened else {
            self.found.skipped.unreadable += 1;
            return Ok(());
        };
        self.folder(top, &inner, path, level + 1)
    }

    fn entry(&mut self, dir: &Dir, name: &str, stamp: &Stamp, path: &RelPath) -> ToolResult<()> {
        match self.what {
            Where::Names => {
                let in_name = self.query.find(name).is_some();
                let by_path =
                    self.query.text.contains('/') && self.query.find(&path.to_string()).is_some();
                if in_name || by_path {
                    self.hit(path, stamp.kind, None);
                }
                Ok(())
            }
            Where::Contents if stamp.kind == Kind::File => self.content(dir, name, stamp, path),
            Where::Contents => Ok(()),
        }
    }

    fn content(&mut self, dir: &Dir, name: &str, stamp: &Stamp, path: &RelPath) -> ToolResult<()> {
        if stamp.bytes > SEARCH_FILE_BYTES {
            self.found.skipped.too_large += 1;
            return Ok(());
        }
        if self.bytes + stamp.bytes > SEARCH_TOTAL_BYTES {
            self.found.truncated = true;
            self.full = true;
            return Ok(());
        }
        let most = usize::try_from(SEARCH_FILE_BYTES).unwrap_or(usize::MAX);
        let read = open_seen(dir, name, stamp, path)
            .and_then(|(mut file, _)| read_up_to(&mut file, most, path, self.cancel));
        let bytes = match read {
            Ok(Some(bytes)) => bytes,
            Ok(None) => {
                self.found.skipped.too_large += 1;
                return Ok(());
            }
            Err(ToolError::Cancelled) => return Err(ToolError::Cancelled),
            Err(ToolError::Model(_)) => {
                self.found.skipped.unreadable += 1;
                return Ok(());
            }
        };
        self.bytes += bytes.len() as u64;
        let Some(text) = String::from_utf8(bytes)
            .ok()
            .filter(|text| !text.contains('\0'))
        else {
            self.found.skipped.binary += 1;
            return Ok(());
        };
        for (line, number) in text.trim_start_matches(BOM_CHAR).lines().zip(1..) {
            if let Some(at) = self.query.find(line) {
                self.hit(path, stamp.kind, Some((number, snippet(line, at))));
            }
            if self.full {
                break;
            }
        }
        Ok(())
    }

    fn hit(&mut self, path: &RelPath, kind: Kind, place: Option<(usize, String)>) {
        let path = path.to_string();
        let (line, snippet) = place.unzip();
        let chars = path.chars().count() + snippet.as_ref().map_or(0, |text| text.chars().count());
        if self.found.hits.len() == SEARCH_HITS || self.chars + chars > SEARCH_CHARS {
            self.found.truncated = true;
            self.full = true;
            return;
        }
        self.chars += chars;
        self.found.hits.push(Hit {
            path,
            kind,
            line,
            snippet,
        });
    }
}

/// The part of a line around a hit, with marks where it was cut.
fn snippet(line: &str, at: usize) -> String {
    let line = line.trim_end();
    let count = line.chars().count();
    if count <= SNIPPET_CHARS {
        return line.to_owned();
    }
    // One character each is for the marks.
    let room = SNIPPET_CHARS - 2;
    let start = at.saturating_sub(room / 4).min(count - room);
    let body: String = line.chars().skip(start).take(room).collect();
    let head = if start > 0 { "…" } else { "" };
    let tail = if start + room < count { "…" } else { "" };
    format!("{head}{body}{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capital_letters_of_any_script_count() {
        let finds = |query: &str, line: &str| Query::new(query).unwrap().find(line);
        assert_eq!(finds("straße", "die Straße"), Some(4));
        assert_eq!(finds("Straße", "die straße"), None);
        assert_eq!(finds("éa", "xÉA"), Some(1));
        assert_eq!(finds("Éa", "xéa"), None);
        assert_eq!(finds("\\S.*", "a \\s.* b"), None);
        assert_eq!(finds("文件", "一个文件"), Some(2));
        assert!(Query::new("").is_err());
        assert!(Query::new("a\nb").is_err());
    }

    #[test]
    fn a_long_line_is_cut_around_the_hit() {
        let short = "x".repeat(SNIPPET_CHARS);
        assert_eq!(snippet(&short, 3), short);
        let line = format!("{}needle{}", "é".repeat(500), "ü".repeat(500));
        let cut = snippet(&line, 500);
        assert!(cut.contains("needle") && cut.starts_with('…') && cut.ends_with('…'));
        assert_eq!(cut.chars().count(), SNIPPET_CHARS);
        let end = format!("{}needle", "é".repeat(500));
        assert!(snippet(&end, 500).ends_with("needle"));
        assert!(snippet(&format!("needle{end}"), 0).starts_with("needle"));
    }
}
