//! The words that lead a newcomer: each module says what it is, and the README says what is there.

use std::collections::BTreeSet;

use crate::sizes::is_tests_file;
use crate::tree::{self, Source};

/// Each Rust file opens with what it is, in a sentence; the tests of a module needn't, it has said so.
fn without_opening(sources: &[Source]) -> Vec<String> {
    sources
        .iter()
        .filter(|source| source.is_rust() && !is_tests_file(&source.path))
        .filter(|source| {
            let first = source.text.lines().next().unwrap_or_default();
            first
                .strip_prefix("//! ")
                .is_none_or(|words| words.split(' ').count() < 2)
        })
        .map(|source| format!("{} does not open with what it is", source.path))
        .collect()
}

/// The folders that the code map must name.
fn folders(paths: &[String]) -> BTreeSet<String> {
    let mut folders = BTreeSet::new();
    for path in paths.iter().filter(|path| !path.starts_with('.')) {
        let parts: Vec<&str> = path.split('/').collect();
        match parts.as_slice() {
            [top @ ("engine" | "app"), "src", area, _, ..] => {
                folders.insert(format!("{top}/"));
                folders.insert(format!("{top}/src/{area}/"));
            }
            [top, _, ..] => {
                folders.insert(format!("{top}/"));
            }
            _ => {}
        }
    }
    folders
}

/// Folders that the README leaves out, and folders it names that are not there.
fn map_drift(readme: &str, paths: &[String]) -> Vec<String> {
    let named: BTreeSet<&str> = readme
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|word| {
            word.ends_with('/') && !word.contains(char::is_whitespace) && !word.starts_with('~')
        })
        .collect();
    let left_out = folders(paths)
        .into_iter()
        .filter(|folder| !named.contains(folder.as_str()))
        .map(|folder| format!("README.md does not name `{folder}`"));
    let gone = named
        .iter()
        .filter(|folder| !paths.iter().any(|path| path.starts_with(**folder)))
        .map(|folder| format!("README.md names `{folder}`, which is not there"));
    left_out.chain(gone).collect()
}

/// Commands of the README's code blocks that don't exist.
fn unknown_commands(readme: &str, xtask: &str, command_line: Option<&str>) -> Vec<String> {
    let mut found = Vec::new();
    let blocks = readme.split("```").skip(1).step_by(2);
    for line in blocks.flat_map(str::lines) {
        let words: Vec<&str> = line.trim_start_matches("$ ").split_whitespace().collect();
        let words = match words.as_slice() {
            [variable, rest @ ..] if variable.starts_with("WISP_") && variable.contains('=') => {
                rest
            }
            other => other,
        };
        let known = match words {
            ["cargo", "xtask", command, ..] => xtask.contains(&format!("Some(\"{command}\")")),
            ["wisp", command, ..]
                if command.starts_with(|first: char| first.is_ascii_lowercase()) =>
            {
                command_line.is_none_or(|code| code.contains(&variant(command)))
            }
            _ => true,
        };
        if !known {
            found.push(format!(
                "README.md has a command that does not exist: {line}"
            ));
        }
    }
    found
}

/// How the command line's code spells a subcommand: `exec` is `Exec`.
fn variant(command: &str) -> String {
    let mut letters = command.chars();
    letters
        .next()
        .map(|first| first.to_ascii_uppercase())
        .into_iter()
        .chain(letters)
        .collect()
}

/// All code of the command line, once there is any.
fn command_line() -> Option<String> {
    let code: String = tree::sources()
        .iter()
        .filter(|source| source.is_in(&["app/src/cli", "app/src/cli.rs"]))
        .map(|source| source.text.as_str())
        .collect();
    (!code.is_empty()).then_some(code)
}

#[test]
fn every_module_opens_with_what_it_is() {
    assert_eq!(without_opening(tree::sources()), Vec::<String>::new());
}

#[test]
fn the_code_map_has_every_folder_and_no_other() {
    assert_eq!(
        map_drift(tree::text("README.md"), tree::paths()),
        Vec::<String>::new()
    );
}

#[test]
fn the_readme_has_no_command_that_does_not_exist() {
    let xtask = tree::text("qa/xtask/src/main.rs");
    let command_line = command_line();
    let found = unknown_commands(tree::text("README.md"), xtask, command_line.as_deref());
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn a_file_without_an_opening_is_seen() {
    let bad = ["", "use std::fs;\n", "//! .\n", "// A comment.\n", "//!\n"];
    for text in bad {
        assert_eq!(
            without_opening(&[Source::sample("app/src/a.rs", text)]).len(),
            1,
            "{text:?}"
        );
    }
    let good = [Source::sample("app/src/a.rs", "//! What it is.\n")];
    assert_eq!(without_opening(&good), Vec::<String>::new());
}

#[test]
fn drift_of_the_map_is_seen_both_ways() {
    let paths = [
        "engine/src/files/mod.rs",
        "qa/Cargo.toml",
        ".ci/run",
        "README.md",
    ];
    let paths = paths.map(str::to_owned);
    let whole = "`engine/` and `engine/src/files/`, `qa/`, and `engine::files`";
    assert_eq!(map_drift(whole, &paths), Vec::<String>::new());
    assert_eq!(
        map_drift("`engine/`, `qa/`, `old/`", &paths),
        [
            "README.md does not name `engine/src/files/`",
            "README.md names `old/`, which is not there"
        ]
    );
}

#[test]
fn a_command_that_does_not_exist_is_seen() {
    let readme = "```\ncargo xtask go\n$ WISP_HOME=x wisp frob --all\nwisp exec hello\nwisp\n```\nwisp outside";
    let found = unknown_commands(readme, "Some(\"run\")", Some("enum Command { Exec }"));
    assert_eq!(found.len(), 2, "{found:?}");
}
