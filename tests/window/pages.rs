//! Real pages in the real window: opened by a tool after the yes, read, closed, typed into, and broken down.

use std::fs;
use std::time::{Duration, Instant};

use eframe::egui::accesskit::Role;
use eframe::egui::{Key, Modifiers};
use wisp_tests::{PATIENCE, Screen, Tree, Window};

use crate::working::{Place, ask};

/// The page process has gone so often.
const DEATHS: usize = 5;

/// The processes whose parent this is, with their names; those that have ended and were not waited for too.
fn children(parent: u32) -> Vec<(u32, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|id| id.parse().ok()) else {
            continue;
        };
        let Ok(stat) = fs::read_to_string(entry.path().join("stat")) else {
            continue;
        };
        // The name stands in brackets and may hold anything; the parent is the second word behind it.
        let Some((head, tail)) = stat.rsplit_once(')') else {
            continue;
        };
        let of = tail
            .split_whitespace()
            .nth(1)
            .and_then(|id| id.parse().ok());
        if of == Some(parent) {
            let name = head.split_once('(').map_or("", |(_, name)| name);
            found.push((id, name.to_owned()));
        }
    }
    found
}

/// The page process of a window.
fn page_process(window: &Window) -> Option<u32> {
    let mut children = children(window.id()).into_iter();
    children
        .find(|(_, name)| name == "wisp-pages")
        .map(|(id, _)| id)
}

/// Says yes to a card that names this address.
#[track_caller]
fn approve(window: &mut Window, address: &str) {
    window.wait_until(&format!("a card for {address}"), |tree| {
        tree.card()
            .filter(|card| card.name.contains(address))
            .cloned()
    });
    let gone = |tree: &Tree| !tree.card().is_some_and(|card| card.name.contains(address));
    window.press_until(Key::A, "the card's end", gone);
}

#[test]
fn pages_are_opened_read_and_closed_for_a_tool() {
    let Some(screen) = Screen::or_skip(&[]) else {
        return;
    };
    let place = Place::new();
    let mut window = place.open(&screen);
    window.patience = PATIENCE;
    assert_eq!(page_process(&window), None, "none before the first page");
    ask(
        &mut window,
        "What does the page of the lantern say? [demo:readpage]",
    );
    approve(&mut window, "/pages/lantern");
    approve(&mut window, "/pages/notes");
    window.wait_for_words("I read The lantern, marked untrusted_webpage");
    window.wait_for_words("A small lamp that runs on one battery.");
    let shown = window.tree();
    for hidden in ["Nobody sees this line", "nobody reads this either"] {
        assert!(shown.with_words(hidden).is_none(), "{shown}");
    }
    ask(&mut window, "Look after the tabs [demo:tabs]");
    approve(&mut window, "/pages/notes");
    approve(&mut window, "/pages/lantern");
    window.wait_for_words("The first tab: closed.");
    let process = page_process(&window);
    assert!(process.is_some());
    assert!(!window.kill().contains("panicked"));
    let deadline = Instant::now() + PATIENCE;
    while process.is_some_and(|id| fs::metadata(format!("/proc/{id}/exe")).is_ok()) {
        assert!(
            Instant::now() < deadline,
            "the page process outlives its window"
        );
        std::thread::yield_now();
    }
}

#[test]
fn a_denied_page_starts_nothing() {
    let Some(screen) = Screen::or_skip(&[]) else {
        return;
    };
    let place = Place::new();
    let mut window = place.open(&screen);
    ask(
        &mut window,
        "Show me the page of the lantern [demo:openweb]",
    );
    window.wait_until("a card", |tree| tree.card().cloned());
    window.press_until(Key::R, "the card's end", |tree| tree.card().is_none());
    window.wait_for_words("The window says: denied.");
    assert_eq!(page_process(&window), None);
}

#[test]
fn a_page_process_that_dies_again_and_again_leaves_the_window_working() {
    let Some(screen) = Screen::or_skip(&[]) else {
        return;
    };
    let place = Place::new();
    let mut window = place.open(&screen);
    window.patience = PATIENCE;
    ask(
        &mut window,
        "Show me the page of the lantern [demo:openweb]",
    );
    approve(&mut window, "/pages/lantern");
    for _ in 0..DEATHS {
        window.wait_for_role(Role::Tab, "The lantern");
        let started = Instant::now();
        let id = loop {
            if let Some(id) = page_process(&window) {
                break id;
            }
            assert!(started.elapsed() < PATIENCE, "there is no page process");
            window.settle();
        };
        let killed = std::process::Command::new("kill")
            .args(["-KILL", &id.to_string()])
            .status();
        assert!(killed.unwrap().success());
        window.wait_for_words("The page broke down");
        window.click("Load again");
        window.wait_until_gone("The page broke down");
    }
    window.wait_for_role(Role::Tab, "The lantern");
    let left: Vec<_> = (children(window.id()).into_iter())
        .filter(|(_, name)| name == "wisp-pages")
        .collect();
    assert_eq!(left.len(), 1, "{left:?}");
    window.press(Key::M, Modifiers::COMMAND);
    ask(
        &mut window,
        "Show me the page of the lantern [demo:openweb]",
    );
    approve(&mut window, "/pages/lantern");
}

#[test]
fn the_keyboard_goes_to_a_page_and_back() {
    let Some(screen) = Screen::or_skip(&["xdotool"]) else {
        return;
    };
    let place = Place::new();
    let mut window = place.open(&screen);
    window.patience = PATIENCE;
    let deadline = Instant::now() + PATIENCE * 2;
    let own = screen.find_window("Wisp", deadline);
    assert!(own.is_some());
    ask(
        &mut window,
        "Show me the page of the lantern [demo:openweb]",
    );
    approve(&mut window, "/pages/lantern");
    window.wait_for_words("open_request_accepted");
    window.wait_for_role(Role::Tab, "The lantern");
    assert_eq!(screen.focused_window(deadline), own);
    // From the message field to the tabs, and so into the page: nothing of the window has the keyboard then.
    screen.press("F6", deadline);
    window.wait_until("the keyboard's leave", |tree| {
        let field = tree.find(Some(Role::MultilineTextInput), wisp_tests::names::COMPOSER)?;
        (!field.focused).then_some(())
    });
    // Two links and a field: what is typed there is asked about when the page is closed, by a key of the page's.
    while window.tree().with_words("Close this page?").is_none() {
        assert!(Instant::now() < deadline, "{}", window.tree());
        for key in ["Tab", "Tab", "Tab"] {
            screen.press(key, deadline);
        }
        screen.type_text("typed", deadline);
        screen.press("ctrl+w", deadline);
        let asked = Instant::now() + Duration::from_secs(3);
        while Instant::now() < asked && window.tree().with_words("Close this page?").is_none() {
            window.settle();
        }
    }
    screen.press("Return", deadline);
    window.wait_until_gone("Close this page?");
    window.wait_for_role(Role::Tab, "The lantern");
    // Whoever typed in the page goes on typing there.
    while screen.focused_window(deadline) == own {
        assert!(Instant::now() < deadline, "{}", window.tree());
        window.settle();
    }
    // And back, round the panes.
    loop {
        screen.press("F6", deadline);
        window.settle();
        let back = window
            .tree()
            .find(Some(Role::MultilineTextInput), wisp_tests::names::COMPOSER)
            .is_some_and(|field| field.focused);
        if back {
            break;
        }
        assert!(Instant::now() < deadline, "{}", window.tree());
    }
    // The window's own field says so a moment before the system sends it the keys.
    loop {
        screen.type_text("z", deadline);
        window.settle();
        let field = window
            .tree()
            .find(Some(Role::MultilineTextInput), wisp_tests::names::COMPOSER)
            .is_some_and(|field| field.value.contains('z'));
        if field {
            break;
        }
        assert!(Instant::now() < deadline, "{}", window.tree());
    }
}
