//! What lies at the top of the repository, and nothing else.

use std::collections::BTreeSet;

use crate::tree;

const REQUIRED: [&str; 9] = [
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "README.md",
    "app",
    "assets",
    "engine",
    "qa",
    "tests",
];

fn broken<'a>(paths: impl Iterator<Item = &'a str>) -> Vec<String> {
    let top: BTreeSet<&str> = paths
        .map(|path| path.split('/').next().unwrap_or(path))
        .collect();
    let strange = top
        .iter()
        .filter(|name| !name.starts_with('.') && !REQUIRED.contains(name))
        .map(|name| format!("{name} does not belong at the top"));
    let missing = REQUIRED
        .iter()
        .filter(|name| !top.contains(*name))
        .map(|name| format!("{name} is missing at the top"));
    strange.chain(missing).collect()
}

#[test]
fn the_top_is_as_it_should_be() {
    assert_eq!(
        broken(tree::paths().iter().map(String::as_str)),
        Vec::<String>::new()
    );
}

#[test]
fn strangers_and_gaps_are_seen() {
    let paths = REQUIRED
        .iter()
        .copied()
        .filter(|name| *name != "Cargo.lock");
    let found = broken(paths.chain([".github/x", "scripts/go.sh"]));
    assert_eq!(
        found,
        [
            "scripts does not belong at the top",
            "Cargo.lock is missing at the top"
        ]
    );
}
