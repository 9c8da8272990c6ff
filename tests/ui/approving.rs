//! Cards that ask: answered by key, by click, and not by accident.

use eframe::egui::{Event, Key, Modifiers};
use wisp_tests::names;

use crate::harness::{FRAME, Home, key_event};

/// What the file of `demo-replace` holds when the change was made.
const CHANGED: &str = "two batteries";

#[test]
fn the_main_job_is_done_by_keyboard_alone() {
    let (home, prompt) = Home::for_scenario("demo-replace");
    let mut view = home.open();
    view.ask(&prompt);
    view.until("a card", |view| view.asks());
    let card = view.card().unwrap();
    assert!(card.focused, "{}", view.shown());
    assert!(card.name.contains("readme.md"), "{card:?}");
    assert!(view.says("one battery") && view.says("two batteries"));
    assert!(!home.file("readme.md").contains(CHANGED));
    view.pass(0.5);
    view.key(Key::A);
    view.wait_for_words("The replacement gave: readme.md.");
    view.wait_for_the_end();
    assert!(home.file("readme.md").contains(CHANGED));
    assert!(!view.asks());
    // The keyboard is back where the next request is typed.
    assert!(view.field().focused, "{}", view.shown());
}
