//! The files of the repository: those under version control, and those that would be.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// A text file of the repository.
#[derive(Debug)]
pub(crate) struct Source {
    /// Its path from the top, with `/`.
    pub(crate) path: String,
    /// What is in it.
    pub(crate) text: String,
}

impl Source {
    /// A sample.
    pub(crate) fn sample(path: &str, text: &str) -> Self {
        Self {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }

    /// Whether it is Rust.
    pub(crate) fn is_rust(&self) -> bool {
        Path::new(&self.path)
            .extension()
            .is_some_and(|extension| extension == "rs")
    }

    /// Whether it lies in one of these folders, or is one of these files.
    pub(crate) fn is_in(&self, places: &[&str]) -> bool {
        places.iter().any(|place| {
            self.path.strip_prefix(place).is_some_and(|rest| {
                rest.is_empty() || place.ends_with('/') || rest.starts_with('/')
            })
        })
    }
}

/// The top folder.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// Every text file, sorted by path. Files that are no UTF-8 (pictures, fonts) are left out.
pub(crate) fn sources() -> &'static [Source] {
    static SOURCES: OnceLock<Vec<Source>> = OnceLock::new();
    SOURCES.get_or_init(|| {
        paths()
            .iter()
            .filter_map(|path| {
                let text = String::from_utf8(fs::read(root().join(path)).ok()?).ok()?;
                Some(Source {
                    path: path.clone(),
                    text,
                })
            })
            .collect()
    })
}

/// The text of one file.
pub(crate) fn text(path: &str) -> &'static str {
    let source = sources().iter().find(|source| source.path == path);
    source.map_or_else(|| panic_missing(path), |source| source.text.as_str())
}

#[expect(clippy::panic, reason = "a test fails by panicking")]
fn panic_missing(path: &str) -> ! {
    panic!("the repository has no {path}")
}

/// The paths of all files, sorted. From git where it is there; from the folders otherwise.
pub(crate) fn paths() -> &'static [String] {
    static PATHS: OnceLock<Vec<String>> = OnceLock::new();
    PATHS.get_or_init(|| {
        let mut paths = from_git().unwrap_or_else(|| {
            let mut found = Vec::new();
            walk(root(), &mut found);
            found
        });
        paths.retain(|path| root().join(path).is_file());
        paths.sort_unstable();
        paths
    })
}

fn from_git() -> Option<Vec<String>> {
    let output = Command::new("git")
        .arg("-C")
        .arg(root())
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .output()
        .ok()?;
    let list = String::from_utf8(output.stdout).ok()?;
    let paths: Vec<String> = list.split_terminator('\0').map(str::to_owned).collect();
    (output.status.success() && !paths.is_empty()).then_some(paths)
}

fn walk(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path: PathBuf = entry.unwrap().path();
        let name = path.file_name().unwrap_or_default();
        if path.is_file() {
            let relative = path.strip_prefix(root()).unwrap();
            found.push(relative.to_str().unwrap().replace('\\', "/"));
        } else if name != ".git" && name != "target" {
            walk(&path, found);
        }
    }
}

#[test]
fn the_folders_and_git_agree_on_what_is_there() {
    let mut walked = Vec::new();
    walk(root(), &mut walked);
    for path in paths() {
        assert!(walked.contains(path), "{path}");
    }
}

#[test]
fn a_place_is_a_whole_folder_name() {
    let source = Source::sample("app/src/state/mod.rs", "");
    assert!(source.is_in(&["app/src/state"]) && source.is_in(&["app/src/state/"]));
    assert!(!source.is_in(&["app/src/stat"]) && !source.is_in(&["engine"]));
}
