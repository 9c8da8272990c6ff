//! Who may know whom.

use crate::rust_text::{has_word, mask};
use crate::tree::{self, Source};

/// In these places, none of these words.
struct Ban {
    places: &'static [&'static str],
    except: &'static [&'static str],
    words: &'static [&'static str],
    why: &'static str,
}

const WINDOW: [&str; 4] = ["eframe", "egui", "winit", "wry"];

const BANS: &[Ban] = &[
    Ban {
        places: &["engine"],
        except: &[],
        words: &WINDOW,
        why: "the engine never names the window",
    },
    Ban {
        places: &["qa"],
        except: &[],
        words: &WINDOW,
        why: "the scripted model never names the window",
    },
    Ban {
        places: &["app/src/widgets", "app/src/theme"],
        except: &[],
        words: &["wisp_engine", "wisp_qa"],
        why: "a widget and a colour know nothing of sessions",
    },
    Ban {
        places: &["app/src/state"],
        except: &[],
        words: &["egui", "eframe"],
        why: "what is drawn is folded without a window",
    },
    Ban {
        places: &[
            "app",
            "qa",
            "tests/benches",
            "tests/support",
            "tests/pages",
            "tests/ui",
            "tests/window",
        ],
        except: &["app/pages"],
        words: &["wry", "webkit2gtk", "gtk"],
        why: "the web engine has one home, so that the program `wisp` never links it",
    },
    Ban {
        places: &["engine/src/protocol"],
        except: &[],
        words: &[
            "tokio", "rusqlite", "reqwest", "cap_std", "rustix", "tracing",
        ],
        why: "the protocol is plain data and does nothing",
    },
];

/// Modules of the standard library that do something.
const EFFECTS: [&str; 6] = [
    "std::env",
    "std::fs",
    "std::io",
    "std::net",
    "std::process",
    "std::thread",
];

fn broken(sources: &[Source]) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources {
        // A manifest's comments are masked by nothing; they may name no stranger either.
        let code = match source.path.rsplit_once('/') {
            _ if source.is_rust() => mask(&source.text).code,
            Some((_, "Cargo.toml")) => source.text.clone(),
            _ => continue,
        };
        for ban in BANS {
            if source.is_in(ban.places) && !source.is_in(ban.except) {
                let words = ban.words.iter().filter(|word| has_word(&code, word));
                found
                    .extend(words.map(|word| format!("{} names {word}: {}", source.path, ban.why)));
            }
        }
        if source.is_in(&["engine/src/protocol"]) {
            found.extend(protocol(&source.path, &code));
        }
        if source.is_in(&["qa"]) && source.is_rust() {
            found.extend(only_protocol(&source.path, &code));
        }
        if source.path == "qa/xtask/Cargo.toml" && code.contains("dependencies") {
            found.push(format!(
                "{} has dependencies: it must build at once",
                source.path
            ));
        }
        if source.is_in(&["app/src"]) && !source.is_in(&["app/src/theme/tokens.rs"]) {
            found.extend(colours(&source.path, &code));
        }
    }
    found
}

fn protocol(path: &str, code: &str) -> Vec<String> {
    let effects = EFFECTS
        .iter()
        .filter(|effect| code.contains(*effect))
        .map(|effect| format!("{path} uses {effect}: the protocol is plain data and does nothing"));
    let outside = code
        .match_indices("crate::")
        .filter(|(at, word)| !code[at + word.len()..].starts_with("protocol"))
        .map(|_| format!("{path} uses the crate outside of the protocol"));
    effects.chain(outside).collect()
}

fn only_protocol(path: &str, code: &str) -> Vec<String> {
    code.match_indices("wisp_engine")
        .map(|(at, word)| &code[at + word.len()..])
        .filter(|rest| {
            let inner = rest
                .strip_prefix("::")
                .map_or("", |inner| inner.trim_start_matches('{'));
            !inner.starts_with("protocol")
        })
        .map(|_| format!("{path} uses more of the engine than its protocol"))
        .collect()
}

/// Named constants of the colour type; the constructors are fenced by the linter.
fn colours(path: &str, code: &str) -> Option<String> {
    code.match_indices("Color32::")
        .any(|(at, word)| {
            let name: Vec<char> = code[at + word.len()..].chars().take(2).collect();
            name.iter().all(char::is_ascii_uppercase)
                && !code[at + word.len()..].starts_with("TRANSPARENT")
                && !code[at + word.len()..].starts_with("PLACEHOLDER")
        })
        .then(|| format!("{path} names a colour: colours come from theme/tokens.rs"))
}

#[test]
fn nobody_knows_whom_it_must_not() {
    assert_eq!(broken(tree::sources()), Vec::<String>::new());
}

#[test]
fn a_wrong_direction_is_seen() {
    let bad = [
        ("engine/src/session/actor.rs", "use egui::Context;"),
        (
            "engine/Cargo.toml",
            "[dependencies]\neframe.workspace = true\n",
        ),
        ("engine/src/protocol/op.rs", "use crate::session::Actor;"),
        ("engine/src/protocol/op.rs", "use std::fs::File;"),
        ("engine/src/protocol/op.rs", "use tokio::sync::mpsc;"),
        ("qa/src/server.rs", "use wisp_engine::handle::Engine;"),
        ("qa/src/server.rs", "use wisp_engine as engine;"),
        ("qa/xtask/Cargo.toml", "[dependencies]\n"),
        ("app/src/widgets/badge.rs", "use wisp_engine::protocol::Op;"),
        ("app/src/state/calls.rs", "use eframe::egui;"),
        ("app/src/chat/panel.rs", "use wry::WebView;"),
        ("app/src/pages/host.rs", "use wry::WebView;"),
        (
            "app/Cargo.toml",
            "[dependencies]\nwebkit2gtk.workspace = true\n",
        ),
        ("app/src/chat/panel.rs", "let red = Color32::RED;"),
    ];
    for (path, text) in bad {
        let found = broken(&[Source::sample(path, text)]);
        assert!(!found.is_empty(), "{path}: {text}");
    }
    let good = [
        (
            "engine/src/session/actor.rs",
            "// egui is not named here\nlet word = \"egui\";",
        ),
        ("engine/src/protocol/op.rs", "use crate::protocol::Op;"),
        (
            "qa/src/server.rs",
            "use wisp_engine::protocol::Op;\nuse wisp_engine::{protocol::Event};",
        ),
        ("app/pages/src/view.rs", "use wry::WebView;"),
        ("app/src/chat/panel.rs", "Color32::TRANSPARENT"),
    ];
    for (path, text) in good {
        assert_eq!(
            broken(&[Source::sample(path, text)]),
            Vec::<String>::new(),
            "{text}"
        );
    }
}
