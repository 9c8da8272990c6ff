//! What of the session's folder a call is about, so that it can be opened beside the conversation.

use serde_json::Value;

/// Something that a call has read or changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opens {
    /// Its path inside the session's folder.
    pub path: String,
    /// Whether it is a folder.
    pub folder: bool,
    /// The line that it is about, counted from 1.
    pub line: Option<usize>,
    /// Whether the call has changed pieces of a text, which can be shown as a change.
    pub change: bool,
}

impl Opens {
    /// From a call's tool and arguments; `None` where nothing is left to be opened.
    pub fn of(tool: &str, arguments: &str) -> Option<Self> {
        let Ok(Value::Object(values)) = serde_json::from_str(arguments) else {
            return None;
        };
        let text = |key: &str| values.get(key).and_then(Value::as_str);
        let line = (values.get("startLine").and_then(Value::as_u64))
            .and_then(|line| usize::try_from(line).ok());
        let (key, folder) = match tool {
            "files_read" | "files_write" | "files_replace" => ("path", false),
            "files_list" | "files_mkdir" | "files_search" => ("path", true),
            // What was moved may be either; it is looked at as a file, and shown as what it is.
            "files_move" => ("to", false),
            _ => return None,
        };
        let path = text(key).unwrap_or(".").trim_start_matches("./");
        let path = if path.is_empty() { "." } else { path };
        (folder || path != ".").then(|| Self {
            path: path.to_owned(),
            folder,
            line,
            change: tool == "files_replace",
        })
    }
}

/// The piece of a text that a call has replaced, and by what.
pub fn replaced(arguments: &str) -> Option<(String, String)> {
    let values: Value = serde_json::from_str(arguments).ok()?;
    let of = |key: &str| values.get(key)?.as_str().map(str::to_owned);
    Some((of("oldText")?, of("newText")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_or_changed_can_be_opened() {
        let of = |tool: &str, arguments: &str| Opens::of(tool, arguments);
        let read = of("files_read", r#"{"path":"./a/b.rs","startLine":3}"#).unwrap();
        assert_eq!((read.path.as_str(), read.line), ("a/b.rs", Some(3)));
        assert!(of("files_list", "{}").is_some_and(|opens| opens.folder && opens.path == "."));
        assert!(of("files_replace", r#"{"path":"a"}"#).unwrap().change);
        let moved = of("files_move", r#"{"from":"a","to":"b"}"#).unwrap();
        assert_eq!(moved.path, "b");
        for (tool, arguments) in [
            ("files_trash", r#"{"path":"a"}"#),
            ("files_read", "{"),
            ("files_read", "{}"),
            ("local_time_now", "{}"),
        ] {
            assert_eq!(of(tool, arguments), None, "{tool} {arguments}");
        }
        let change = replaced(r#"{"oldText":"a","newText":"b"}"#);
        assert_eq!(change, Some(("a".to_owned(), "b".to_owned())));
    }
}
