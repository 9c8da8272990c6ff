//! A file has at most 400 lines of code. Tests, comments and blank lines don't count.

use crate::rust_text::{mask, test_items};
use crate::tree::{self, Source};

/// Lines of code a file may have.
const MOST: usize = 400;

/// A file that may have more, how many, and why. Entries may shrink and go; one that is no longer
/// needed fails.
struct Exception {
    path: &'static str,
    most: usize,
    why: &'static str,
}

const EXCEPTIONS: &[Exception] = &[
    Exception {
        path: "app/src/i18n/en.rs",
        most: 450,
        why: "a language is one file, and this is a table of words",
    },
    Exception {
        path: "app/src/i18n/zh_cn.rs",
        most: 450,
        why: "a language is one file, and this is a table of words",
    },
];

fn broken(sources: &[Source], exceptions: &[Exception]) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources.iter().filter(|source| counts(source)) {
        let lines = lines_of_code(&source.text);
        let exception = exceptions
            .iter()
            .find(|exception| exception.path == source.path);
        let most = exception.map_or(MOST, |exception| exception.most);
        if lines > most {
            found.push(format!(
                "{} has {lines} lines of code, and {most} at most",
                source.path
            ));
        }
        if exception.is_some() && lines <= MOST {
            found.push(format!("{} needs its exception no longer", source.path));
        }
    }
    for exception in exceptions {
        if !sources.iter().any(|source| source.path == exception.path) {
            found.push(format!(
                "{} has an exception and is not there",
                exception.path
            ));
        }
        if exception.why.is_empty() {
            found.push(format!(
                "{} has an exception without a reason",
                exception.path
            ));
        }
    }
    found
}

/// Rust that is no test throughout.
fn counts(source: &Source) -> bool {
    source.is_rust() && !source.is_in(&["tests"]) && !is_tests_file(&source.path)
}

/// Whether all of a file is tests, and those of a module beside it: `tests.rs`, `NAME_tests.rs`, or a
/// file in a folder `tests`.
pub(crate) fn is_tests_file(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.ends_with("_tests.rs") || path.contains("/tests/")
}

fn lines_of_code(text: &str) -> usize {
    let masked = mask(text);
    let mut lines = masked.with_strings.into_bytes();
    for item in test_items(&masked.code) {
        for byte in &mut lines[item] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
    lines
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.trim_ascii().is_empty())
        .count()
}

#[test]
fn no_file_is_too_long() {
    assert_eq!(broken(tree::sources(), EXCEPTIONS), Vec::<String>::new());
}

#[test]
fn the_limit_holds_on_both_sides() {
    let of = |lines| {
        [Source::sample(
            "engine/src/a.rs",
            &"let a = 1;\n".repeat(lines),
        )]
    };
    assert_eq!(broken(&of(MOST), &[]), Vec::<String>::new());
    assert_eq!(broken(&of(MOST + 1), &[]).len(), 1);
}

#[test]
fn an_exception_only_shrinks() {
    let exception = || {
        [Exception {
            path: "engine/src/a.rs",
            most: MOST + 10,
            why: "a sample",
        }]
    };
    let of = |lines| {
        [Source::sample(
            "engine/src/a.rs",
            &"let a = 1;\n".repeat(lines),
        )]
    };
    assert_eq!(broken(&of(MOST + 10), &exception()), Vec::<String>::new());
    assert_eq!(broken(&of(MOST + 11), &exception()).len(), 1);
    assert_eq!(broken(&of(MOST), &exception()).len(), 1);
    assert_eq!(broken(&[], &exception()).len(), 1);
}

#[test]
fn tests_comments_and_blank_lines_are_not_counted() {
    let text = "//! Doc.\n\nfn a() {\n    // Why.\n    \"x\n\n    y\"\n}\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\n";
    assert_eq!(lines_of_code(text), 4);
    assert!(!counts(&Source::sample("engine/src/session/tests.rs", "")));
    assert!(!counts(&Source::sample("tests/engine/main.rs", "")));
    assert!(counts(&Source::sample("engine/src/session/run.rs", "")));
}
