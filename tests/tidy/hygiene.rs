//! What must not lie about: notes to oneself, traces of a machine, tests that don't run or only wait.

use crate::rust_text::{Masked, mask, test_items};
use crate::sizes::is_tests_file;
use crate::tree::{self, Source};

/// The words are put together here, so that this file has none of them.
fn notes() -> [String; 5] {
    [
        ["TO", "DO"].concat(),
        ["FIX", "ME"].concat(),
        ["XX", "X:"].concat(),
        ["todo", "!("].concat(),
        ["dbg", "!("].concat(),
    ]
}

/// Folders that name a person or a machine. They count only where a path begins.
fn machine_paths() -> [String; 5] {
    ["root", "home", "Users", "work", "builds"].map(|folder| ["/", folder, "/"].concat())
}

/// Whose folder a sample in a test or a text may be.
const NOBODY: [&str; 2] = ["me", "user"];

/// Hosts that packages come from.
fn registry_hosts() -> [String; 6] {
    [
        ["index.", "crates.io"].concat(),
        ["static.", "crates.io"].concat(),
        ["deb.", "debian.org"].concat(),
        ["registry.", "npmjs.org"].concat(),
        ["pypi", ".org"].concat(),
        ["proxy.", "golang.org"].concat(),
    ]
}

/// The one source that the lock file may name: the public registry, by the name that stands for it everywhere.
const LOCKED_SOURCE: &str = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";

fn broken(source: &Source) -> Vec<String> {
    let Source { path, text } = source;
    let mut found = Vec::new();
    if path == "Cargo.lock" {
        let strange = text
            .lines()
            .filter(|line| line.starts_with("source = ") && *line != LOCKED_SOURCE);
        found.extend(strange.map(|line| format!("{path}: {line}")));
    }
    for word in notes().iter().chain(&registry_hosts()) {
        if text.contains(word) {
            found.push(format!("{path} has {word}"));
        }
    }
    for folder in machine_paths() {
        let begins = |at: usize| {
            text[..at]
                .chars()
                .next_back()
                .is_none_or(|before| before.is_whitespace() || "\"'`(=:".contains(before))
        };
        let is_sample = |at: usize| {
            let owner = text[at + folder.len()..].split(|end: char| !end.is_alphanumeric());
            owner.take(1).any(|owner| NOBODY.contains(&owner))
        };
        let mut places = text.match_indices(&folder).map(|(at, _)| at);
        if places.any(|at| begins(at) && !is_sample(at)) {
            found.push(format!("{path} has a path of a machine: {folder}"));
        }
    }
    if source.is_rust() {
        found.extend(tests_that_do_not_test(source));
    }
    found
}

fn tests_that_do_not_test(source: &Source) -> Vec<String> {
    let Masked { code, with_strings } = mask(&source.text);
    let mut found = Vec::new();
    for (at, _) in code.match_indices("#[ignore") {
        let name = code[at..]
            .split_once("fn ")
            .and_then(|(_, rest)| rest.split('(').next());
        if !name.is_some_and(|name| is_started(&with_strings, name)) {
            found.push(format!("{} has a test that is not run", source.path));
        }
    }
    let tests = if source.is_in(&["tests"]) || is_tests_file(&source.path) {
        std::iter::once(0..code.len()).collect()
    } else {
        test_items(&code)
    };
    for test in tests {
        if ["thread::sleep", "time::sleep"]
            .iter()
            .any(|sleep| code[test.clone()].contains(sleep))
        {
            found.push(format!(
                "{} has a test that sleeps: wait for an event",
                source.path
            ));
        }
    }
    found
}

/// Whether a file starts one of its ignored tests itself, in a process of its own.
fn is_started(with_strings: &str, test: &str) -> bool {
    with_strings.contains("\"--ignored\"") && with_strings.contains(&format!("::{test}\""))
}

#[test]
fn nothing_lies_about() {
    let found: Vec<String> = tree::sources().iter().flat_map(broken).collect();
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn each_kind_is_seen() {
    let seen = |path: &str, text: &str| broken(&Source::sample(path, text)).len();
    for word in notes().iter().chain(&registry_hosts()) {
        assert_eq!(seen("README.md", &format!("a {word} b")), 1, "{word}");
    }
    for folder in machine_paths() {
        assert_eq!(
            seen("app/src/a.rs", &format!("let a = \"{folder}x\";")),
            1,
            "{folder}"
        );
        assert_eq!(
            seen("app/src/a.rs", &format!("let a = \"src{folder}x\";")),
            0,
            "{folder}"
        );
    }
    let ignored = ["#[test]\n#[ign", "ore]\nfn a() {}"].concat();
    assert_eq!(seen("tests/engine/a.rs", &ignored), 1);
    let started = [
        &ignored,
        "\nfn b() { run([\"--ignored\", \"tests::a\"]) }\n",
    ]
    .concat();
    assert_eq!(seen("tests/engine/a.rs", &started), 0);
    let sleeps = "#[cfg(test)]\nmod tests {\n    fn a() { std::thread::sleep(b) }\n}\n";
    assert_eq!(seen("engine/src/a.rs", sleeps), 1);
    assert_eq!(
        seen("engine/src/session/tests.rs", "tokio::time::sleep(a).await"),
        1
    );
    assert_eq!(seen("qa/src/server.rs", "tokio::time::sleep(a).await"), 0);
    assert_eq!(
        seen(
            "Cargo.lock",
            "source = \"registry+https://example.org/index\"\n"
        ),
        1
    );
    assert_eq!(seen("Cargo.lock", LOCKED_SOURCE), 0);
}
