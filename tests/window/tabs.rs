//! The tabs at the right in the real window: a file opened, changed and kept by keys alone.

use std::fs;
use std::time::Instant;

use eframe::egui::accesskit::Role;
use eframe::egui::{Key, Modifiers};
use wisp_tests::{PATIENCE, Screen};

use crate::working::{Place, ask};

const READ_PROMPT: &str = "Read the third line [demo:read]";
const CTRL: Modifiers = Modifiers::CTRL.plus(Modifiers::COMMAND);

#[test]
fn a_file_is_opened_changed_and_kept_by_keys_alone() {
    let Some(screen) = Screen::or_skip(&[]) else {
        return;
    };
    let place = Place::new();
    fs::write(place.folder.path().join("b.txt"), "second\n").unwrap();
    let mut window = place.open(&screen);
    ask(&mut window, READ_PROMPT);
    window.wait_for("The scripted model read: A small lamp that runs on one battery.");
    for (path, first) in [("readme.md", "1 # Lantern"), ("b.txt", "1 second")] {
        window.press(Key::T, CTRL);
        window.wait_until("the keyboard in the address field", |tree| {
            let field = tree.find(Some(Role::TextInput), "Address, or a path in the folder");
            field.filter(|field| field.focused).cloned()
        });
        window.type_text(path);
        window.press(Key::Enter, Modifiers::NONE);
        window.wait_for(first);
    }
    window.press(Key::Tab, CTRL);
    window.wait_for("1 # Lantern");
    window.press(Key::E, CTRL);
    window.wait_until("the keyboard in the file", |tree| {
        let field = tree.find(Some(Role::MultilineTextInput), "readme.md");
        field.filter(|field| field.focused).cloned()
    });
    window.press(Key::Home, CTRL);
    window.type_text("New: ");
    window.wait_for("readme.md, not saved");
    window.press(Key::S, CTRL);
    window.wait_for("Saved: readme.md");
    assert!(place.file().starts_with("New: # Lantern\n"));
    window.press(Key::W, CTRL);
    window.wait_for("1 second");
    let picture = place.home.path().join("tabs.png");
    window.screenshot(&picture);
    assert!(picture.exists());
    assert!(!window.kill().contains("panicked"));
}

#[test]
fn a_window_with_a_change_that_is_not_saved_asks_before_it_closes() {
    let Some(screen) = Screen::or_skip(&["xdotool"]) else {
        return;
    };
    let place = Place::new();
    let mut window = place.open(&screen);
    ask(&mut window, READ_PROMPT);
    window.wait_for("The scripted model read: A small lamp that runs on one battery.");
    window.press(Key::T, CTRL);
    window.wait_until("the keyboard in the address field", |tree| {
        let field = tree.find(Some(Role::TextInput), "Address, or a path in the folder");
        field.filter(|field| field.focused).cloned()
    });
    window.type_text("readme.md");
    window.press(Key::Enter, Modifiers::NONE);
    window.wait_for("1 # Lantern");
    window.press(Key::E, CTRL);
    window.wait_until("the keyboard in the file", |tree| {
        let field = tree.find(Some(Role::MultilineTextInput), "readme.md");
        field.filter(|field| field.focused).cloned()
    });
    window.type_text("mine");
    window.wait_for("readme.md, not saved");
    screen.press("alt+F4", Instant::now() + PATIENCE);
    window.wait_for("Quit without saving?");
    // Enter keeps.
    window.press(Key::Enter, Modifiers::NONE);
    window.wait_until_gone("Quit without saving?");
    window.wait_for("readme.md, not saved");
    screen.press("alt+F4", Instant::now() + PATIENCE);
    window.wait_for("Quit without saving?");
    window.click("Discard the changes");
    let status = window.wait(PATIENCE);
    assert!(status.is_some_and(|status| status.success()), "{status:?}");
    assert!(!place.file().contains("mine"));
}
