//! A session's folder as one text, and that text as files on disk.
//!
//! `//- /notes/a.md` starts a file, `//- /empty/` an empty folder. `//- /numbers.txt lines=100` makes a
//! file of so many lines out of the one line below it, in which `{{line}}` is the line's number. It
//! never writes outside the folder it is given, and is for tests and simulated sessions alone.

#![expect(
    clippy::disallowed_methods,
    reason = "this is the home of scenario folders, which no rule on paths is about"
)]

use std::{
    fs, io,
    path::{Component, Path},
};

/// One entry of a workspace text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkspaceEntry {
    /// Its path inside the folder, with `/` and without a leading one.
    pub path: String,
    /// Its text; `None` is a folder.
    pub content: Option<String>,
}

/// Why a text is no workspace.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("workspace line {line}: {message}")]
pub struct WorkspaceError {
    /// The text's line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

/// The most lines a `lines=` header makes: a million, so that a slip of the finger fills no disk.
const MAX_LINES: usize = 1_000_000;

/// Reads a workspace text.
pub fn parse(text: &str) -> Result<Vec<WorkspaceEntry>, WorkspaceError> {
    let mut entries: Vec<(WorkspaceEntry, Option<usize>)> = Vec::new();
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let fail = |message: String| WorkspaceError {
            line: number + 1,
            message,
        };
        if let Some(header) = line.strip_prefix("//- ") {
            let (path, lines) = header_of(header.trim()).map_err(fail)?;
            if entries
                .iter()
                .any(|(entry, _)| entry.path == path.trim_end_matches('/'))
            {
                return Err(fail(format!("{path} is there twice")));
            }
            let content = (!path.ends_with('/')).then(String::new);
            let path = path.trim_end_matches('/').to_owned();
            entries.push((WorkspaceEntry { path, content }, lines));
            continue;
        }
        match entries.last_mut() {
            Some((
                WorkspaceEntry {
                    content: Some(content),
                    ..
                },
                _,
            )) => content.push_str(line),
            _ if line.trim().is_empty() => {}
            Some(_) => return Err(fail("a folder has no text".to_owned())),
            None => return Err(fail("the first line is a //- /path header".to_owned())),
        }
    }
    Ok(entries.into_iter().map(repeated).collect())
}

/// Writes a workspace text into a folder, which is made if need be.
pub fn lay(text: &str, folder: &Path) -> io::Result<()> {
    let entries =
        parse(text).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
    fs::create_dir_all(folder)?;
    for entry in entries {
        let path = folder.join(&entry.path);
        match entry.content {
            None => fs::create_dir_all(path)?,
            Some(content) => {
                if let Some(parent) = path.parent() {
                    fs::create_dir_all(parent)?;
                }
                fs::write(path, content)?;
            }
        }
    }
    Ok(())
}

fn header_of(header: &str) -> Result<(&str, Option<usize>), String> {
    let (path, lines) = match header.split_once(" lines=") {
        None => (header, None),
        Some((path, number)) => {
            let lines = number
                .parse()
                .ok()
                .filter(|lines| (1..=MAX_LINES).contains(lines))
                .ok_or_else(|| format!("lines= wants a number from 1 to {MAX_LINES}"))?;
            (path, Some(lines))
        }
    };
    let inside = path
        .strip_prefix('/')
        .ok_or_else(|| format!("a path starts with a slash, unlike {path}"))?;
    let normal = Path::new(inside)
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    if inside.trim_end_matches('/').is_empty() || !normal || inside.contains('\\') {
        return Err(format!(
            "a path stays inside the folder, without .., unlike {path}"
        ));
    }
    Ok((inside, lines))
}

fn repeated((mut entry, lines): (WorkspaceEntry, Option<usize>)) -> WorkspaceEntry {
    if let (Some(content), Some(lines)) = (&mut entry.content, lines) {
        let line = content.lines().next().unwrap_or_default().to_owned();
        content.clear();
        for number in 1..=lines {
            content.push_str(&line.replace("{{line}}", &number.to_string()));
            content.push('\n');
        }
    }
    entry
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_folders_are_laid() {
        let folder = tempfile::tempdir().unwrap();
        let text =
            "//- /a.md\nfirst\n\nthird\n//- /sub/b.txt lines=3\nline {{line}}\n//- /empty/\n";
        lay(text, folder.path()).unwrap();
        let read = |path: &str| fs::read_to_string(folder.path().join(path)).unwrap();
        assert_eq!(read("a.md"), "first\n\nthird\n");
        assert_eq!(read("sub/b.txt"), "line 1\nline 2\nline 3\n");
        assert!(folder.path().join("empty").is_dir());
    }

    #[test]
    fn nothing_is_written_outside_the_folder() {
        for header in [
            "/../a",
            "a",
            "/",
            "/a/../../b",
            "//a/../..",
            "/./../x",
            "/a\\b",
        ] {
            let outer = tempfile::tempdir().unwrap();
            let folder = outer.path().join("in");
            let result = lay(&format!("//- {header}\nx\n"), &folder);
            assert!(result.is_err(), "{header}");
            assert!(!folder.exists(), "{header}");
        }
    }

    #[test]
    fn errors_name_their_line() {
        for (text, line) in [
            ("text\n", 1),
            ("//- /a\nx\n//- /a\n", 3),
            ("//- /d/\nx\n", 2),
            ("//- /a lines=0\n", 1),
            ("//- /a lines=1000001\n", 1),
        ] {
            assert_eq!(parse(text).unwrap_err().line, line, "{text}");
        }
        let entries = parse("//- /a lines=1000000\n\n").unwrap();
        assert_eq!(entries[0].content.as_ref().unwrap().len(), MAX_LINES);
    }
}
