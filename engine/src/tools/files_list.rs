//! Shows the model what is in a folder. Never follows a link, never shows a private folder.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::files::RelPath;
use crate::files::listing::{Listing, list};
use crate::permission::{Access, Permit};
use crate::toolkit::{Prepared, Tool, ToolContext, ToolResult};

/// The tool.
pub(crate) struct FilesList;

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
pub(crate) struct Input {
    /// Folder, relative to the session's folder. Default: that folder, `.`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    path: Option<String>,
}

impl Tool for FilesList {
    type Input = Input;
    type Plan = RelPath;
    type Output = Listing;

    const NAME: &'static str = "files_list";
    const DESCRIPTION: &'static str = "Lists one folder: name, kind, bytes and time of change of at most 500 entries. Paths are relative, separated by `/`.";
    const ACCESS: Access = Access::ReadInside;
    const NEEDS_FOLDER: bool = true;

    async fn prepare(&self, input: Input, context: &ToolContext) -> ToolResult<Prepared<RelPath>> {
        context.workspace()?;
        let path = match input.path.as_deref() {
            None | Some("") => RelPath::root(),
            Some(path) => RelPath::parse(path)?,
        };
        Ok(Prepared::silent(path))
    }

    async fn run(
        &self,
        path: RelPath,
        _permit: Permit,
        context: &ToolContext,
    ) -> ToolResult<Listing> {
        let workspace = context.workspace()?;
        context
            .read_blocking(move |cancel| list(&workspace, &path, cancel))
            .await
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStrExt;

    use serde_json::json;

    use super::*;
    use crate::files::limits::LIST_ENTRIES;
    use crate::files::testing::{Yard, kind};
    use crate::protocol::ToolErrorKind::{BadArguments, NotFound};

    #[tokio::test]
    async fn entries_are_sorted_and_links_are_only_shown() {
        let yard = Yard::new();
        yard.write("b.txt", "12345");
        yard.write(".hidden", "");
        yard.write("a/x", "");
        yard.write(".git/config", "");
        std::os::unix::fs::symlink(yard.outside(""), yard.inside("link")).unwrap();
        rustix::fs::mkfifoat(
            rustix::fs::CWD,
            yard.inside("pipe"),
            rustix::fs::Mode::from_bits_truncate(0o600),
        )
        .unwrap();
        let listing = yard.call(&FilesList, json!({"path": null})).await.unwrap();
        let shown: Vec<_> = listing["entries"]
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| {
                (
                    entry["name"].as_str().unwrap(),
                    entry["kind"].as_str().unwrap(),
                )
            })
            .collect();
        assert_eq!(
            shown,
            [
                (".hidden", "file"),
                ("a", "directory"),
                ("b.txt", "file"),
                ("link", "link"),
                ("pipe", "other"),
            ]
        );
        assert_eq!(listing["entries"][2]["bytes"], 5);
        assert!(
            listing["entries"][2]["modified"]
                .as_str()
                .unwrap()
                .ends_with('Z')
        );
        assert_eq!(listing["entries"][1].get("bytes"), None);
        assert_eq!(listing["path"], ".");
        assert_eq!(listing["truncated"], false);
        assert_eq!(listing.get("unnamed"), None);
        assert_eq!(
            kind(yard.call(&FilesList, json!({"path": "b.txt"})).await),
            BadArguments
        );
        assert_eq!(
            kind(yard.call(&FilesList, json!({"path": "none"})).await),
            NotFound
        );
    }

    #[tokio::test]
    async fn the_limit_has_two_sides() {
        let yard = Yard::fast();
        for number in 0..LIST_ENTRIES {
            yard.write(&format!("{number:04}"), "");
        }
        let listing = yard.call(&FilesList, json!({})).await.unwrap();
        assert_eq!(listing["entries"].as_array().unwrap().len(), LIST_ENTRIES);
        assert_eq!(listing["truncated"], false);
        yard.write("zzzz", "");
        let listing = yard.call(&FilesList, json!({})).await.unwrap();
        assert_eq!(listing["entries"].as_array().unwrap().len(), LIST_ENTRIES);
        assert_eq!(listing["truncated"], true);
        assert_eq!(listing["entries"][LIST_ENTRIES - 1]["name"], "0499");
    }

    #[tokio::test]
    async fn names_that_are_no_paths_are_counted() {
        let yard = Yard::new();
        for name in [&b"\xff\xfe"[..], b"new\nline", b"back\\slash"] {
            std::fs::write(yard.inside("").join(std::ffi::OsStr::from_bytes(name)), "").unwrap();
        }
        yard.write("good", "");
        let listing = yard.call(&FilesList, json!({})).await.unwrap();
        assert_eq!(listing["unnamed"], 3);
        assert_eq!(listing["entries"].as_array().unwrap().len(), 1);
    }
}
