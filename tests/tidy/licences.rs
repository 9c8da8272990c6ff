//! Every dependency may be used and passed on under licences that ask for no more than a notice.
//!
//! Asked of cargo without a network, so of the packages this system builds: what other systems add is
//! not on this disk.

use std::process::Command;

use serde_json::Value;

use crate::tree;

const ALLOWED: [&str; 15] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    // File by file: what is changed in its files must be passed on, ours are not touched.
    "MPL-2.0",
    // Fonts.
    "OFL-1.1",
    "Ubuntu-font-1.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Packages without a licence field whose licence file was read, with what it says.
const READ: &[(&str, &str)] = &[];

fn broken(packages: &[Value]) -> Vec<String> {
    packages
        .iter()
        .filter_map(|package| {
            let name = package["name"].as_str().unwrap_or_default();
            let read = READ
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, licence)| *licence);
            let Some(licence) = package["license"].as_str().or(read) else {
                return Some(format!("{name} states no licence"));
            };
            (!is_allowed(licence)).then(|| format!("{name} is under {licence}"))
        })
        .collect()
}

/// Whether an SPDX expression can be met by allowed licences alone. One that can't be read can't.
fn is_allowed(expression: &str) -> bool {
    // The old form `MIT/Apache-2.0` means a choice.
    let spaced = expression
        .replace('/', " OR ")
        .replace('(', " ( ")
        .replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut words = words.as_slice();
    choice(&mut words) == Some(true) && words.is_empty()
}

fn choice(words: &mut &[&str]) -> Option<bool> {
    let mut allowed = all(words)?;
    while let Some(rest) = words.strip_prefix(&["OR"]) {
        *words = rest;
        allowed |= all(words)?;
    }
    Some(allowed)
}

fn all(words: &mut &[&str]) -> Option<bool> {
    let mut allowed = one(words)?;
    while let Some(rest) = words.strip_prefix(&["AND"]) {
        *words = rest;
        allowed &= one(words)?;
    }
    Some(allowed)
}

fn one(words: &mut &[&str]) -> Option<bool> {
    let (word, rest) = words.split_first()?;
    *words = rest;
    if *word == "(" {
        let allowed = choice(words)?;
        *words = words.strip_prefix(&[")"])?;
        return Some(allowed);
    }
    if let ["WITH", exception, rest @ ..] = *words {
        *words = rest;
        return Some(ALLOWED.contains(&format!("{word} WITH {exception}").as_str()));
    }
    Some(ALLOWED.contains(word))
}

fn cargo(arguments: &[&str]) -> Vec<u8> {
    let mut command = Command::new(env!("CARGO"));
    let output = command
        .current_dir(tree::root())
        .args(arguments)
        .output()
        .unwrap();
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "cargo {}: {words}",
        arguments.join(" ")
    );
    output.stdout
}

#[test]
fn every_dependency_is_under_an_allowed_licence() {
    let version = String::from_utf8(cargo(&["--version", "--verbose"])).unwrap();
    let host = version
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .unwrap();
    let metadata = cargo(&[
        "metadata",
        "--format-version=1",
        "--locked",
        "--offline",
        "--filter-platform",
        host,
    ]);
    let metadata: Value = serde_json::from_slice(&metadata).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    assert!(
        packages.len() > 50,
        "cargo names only {} packages",
        packages.len()
    );
    assert_eq!(broken(packages), Vec::<String>::new());
}

#[test]
fn expressions_are_read_as_they_are_meant() {
    for good in [
        "MIT",
        "MIT/Apache-2.0",
        "Apache-2.0 OR GPL-2.0-only",
        "(MIT OR Apache-2.0) AND Unicode-3.0",
        "Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT",
        "ISC AND (Apache-2.0 OR LGPL-3.0)",
    ] {
        assert!(is_allowed(good), "{good}");
    }
    for bad in [
        "GPL-3.0-or-later",
        "MIT AND GPL-2.0",
        "LGPL-2.1",
        "ISC AND (LGPL-3.0 OR AGPL-3.0)",
        "GPL-2.0 WITH Classpath-exception-2.0",
        "MIT OR",
        "(MIT",
        "",
    ] {
        assert!(!is_allowed(bad), "{bad}");
    }
}

#[test]
fn a_package_without_a_licence_or_with_a_wrong_one_is_named() {
    let packages = [
        serde_json::json!({"name": "good", "license": "MIT"}),
        serde_json::json!({"name": "silent", "license": null}),
        serde_json::json!({"name": "taken", "license": "GPL-3.0"}),
    ];
    assert_eq!(
        broken(&packages),
        ["silent states no licence", "taken is under GPL-3.0"]
    );
}
