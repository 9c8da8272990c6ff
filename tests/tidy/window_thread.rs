//! The window's thread never waits: what touches files, the network, programs or the database has its places, and
//! the code that draws is none of them.

use crate::rust_text::{mask, test_items};
use crate::tree::{self, Source};

/// Where waiting is allowed: the worker and its jobs, the command line, and what starts the scripted model for both.
const WAITS: &[&str] = &[
    "app/src/bridge/dialogs.rs",
    "app/src/bridge/jobs.rs",
    "app/src/bridge/pictures.rs",
    // It reads a small file before there is a window.
    "app/src/bridge/preferences.rs",
    "app/src/bridge/qa.rs",
    "app/src/bridge/settings.rs",
    "app/src/bridge/storage.rs",
    "app/src/bridge/worker.rs",
    "app/src/cli",
    "app/src/pages/child_process.rs",
    "app/src/simulation.rs",
];

/// What waits, with the places besides that may use it, each for a reason of its own.
const WAITING: &[(&str, &[&str])] = &[
    ("std::fs", &[]),
    ("std::net", &[]),
    // The one return value of `main`.
    ("std::process", &["app/src/main.rs"]),
    // Long texts are compared and coloured by threads that nobody waits for.
    (
        "std::thread",
        &[
            "app/src/text/diff.rs",
            "app/src/text/highlight/highlighter.rs",
        ],
    ),
    ("tokio::", &[]),
    ("rusqlite", &[]),
    ("reqwest", &[]),
    ("webbrowser", &[]),
    ("rfd", &[]),
    ("tempfile", &[]),
    ("rustix", &[]),
    ("wisp_engine::start", &[]),
    ("wisp_engine::home", &[]),
    ("wisp_engine::History", &[]),
    ("Settings::load", &[]),
    ("Simulator::start", &[]),
    ("wisp_qa::lay", &[]),
    ("next_blocking", &["app/src/bridge/link.rs"]),
    ("blocking_recv", &[]),
    (".recv()", &[]),
    (".recv_timeout(", &[]),
    (".is_dir()", &[]),
    (".is_file()", &[]),
    (".exists()", &[]),
    (".canonicalize()", &[]),
    (".metadata()", &[]),
    (".read_dir()", &[]),
];

fn broken(sources: &[Source]) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources {
        let is_window = source.is_in(&["app/src"]) && source.is_rust();
        if !is_window || source.is_in(WAITS) || is_test_file(&source.path) {
            continue;
        }
        let code = without_tests(&mask(&source.text).code);
        for (waits, except) in WAITING {
            if code.contains(waits) && !source.is_in(except) {
                found.push(format!(
                    "{} uses {waits}: the window's thread never waits, give the worker a job",
                    source.path
                ));
            }
        }
        found.extend(grouped(&source.path, &code));
    }
    found
}

/// `use std::{fs, …}` names the same without writing it out.
fn grouped(path: &str, code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, start) in code.match_indices("std::{") {
        let inside = &code[at + start.len()..];
        let inside = inside.split(';').next().unwrap_or_default();
        for module in ["fs", "net", "process", "thread"] {
            if crate::rust_text::has_word(inside, module) {
                found.push(format!(
                    "{path} uses std::{module}: the window's thread never waits, give the worker a job"
                ));
            }
        }
    }
    found
}

fn is_test_file(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.contains("/tests/")
}

fn without_tests(code: &str) -> String {
    let mut kept = String::new();
    let mut from = 0;
    for item in test_items(code) {
        kept.push_str(&code[from..item.start]);
        from = item.end;
    }
    kept.push_str(&code[from..]);
    kept
}

#[test]
fn the_windows_thread_never_waits() {
    assert_eq!(broken(tree::sources()), Vec::<String>::new());
}

#[test]
fn waiting_is_seen_where_it_slips_in() {
    let bad = [
        ("app/src/chat/view.rs", "let text = std::fs::read(path);"),
        (
            "app/src/chat/view.rs",
            "use std::{\n    fs,\n    path::Path,\n};",
        ),
        ("app/src/window/app.rs", "use std::net::TcpStream;"),
        (
            "app/src/window/app.rs",
            "std::process::Command::new(\"ls\");",
        ),
        ("app/src/bridge/link.rs", "use rusqlite::Connection;"),
        ("app/src/settings/view.rs", "reqwest::blocking::get(url)"),
        (
            "app/src/window/app.rs",
            "while let Some(update) = engine.next_blocking() {}",
        ),
        ("app/src/window/dialogs.rs", "webbrowser::open(address)"),
        (
            "app/src/window/dialogs.rs",
            "rfd::FileDialog::new().pick_folder()",
        ),
        ("app/src/chat/view.rs", "if path.exists() {}"),
        ("app/src/chat/view.rs", "let done = queue.recv();"),
    ];
    for (path, text) in bad {
        let found = broken(&[Source::sample(path, text)]);
        assert!(!found.is_empty(), "{path}: {text}");
    }
    let good = [
        ("app/src/bridge/jobs.rs", "std::fs::read(path)"),
        ("app/src/bridge/link.rs", "engine.next_blocking()"),
        (
            "app/src/chat/view.rs",
            "// std::fs\nlet word = \"std::fs\";",
        ),
        (
            "app/src/chat/view.rs",
            "#[cfg(test)]\nmod tests {\n use std::fs;\n}",
        ),
        ("engine/src/files/os.rs", "std::fs::read(path)"),
    ];
    for (path, text) in good {
        let none = Vec::<String>::new();
        assert_eq!(broken(&[Source::sample(path, text)]), none, "{text}");
    }
}
