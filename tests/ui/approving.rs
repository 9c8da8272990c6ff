//! Cards that ask: answered by key, by click, and never by accident.

use eframe::egui::{Key, Modifiers};
use wisp_tests::names;

use crate::harness::{FRAME, Home, View};

/// What the file of `demo-replace` holds when the change was made.
const CHANGED: &str = "two batteries";

/// A model that waits for the test before it asks for a change.
pub(crate) const LATER: &str = r#"
name = "later"
title = "A call after a while"
tag = "[later]"
prompt = "Write it later [later]"

[[turns]]
calls = [{ name = "files_write", arguments = { path = "later.txt", content = "written" } }]
hold = { before = "the call" }

[[turns]]
text = "Answered: {{result.0.path|result.0.error.message}}"

[expect]
outcome = "done"
calls = [{ tool = "files_write", status = "done", when_denied = "denied" }]
answer = ["Answered"]
requests = 2
"#;

/// A text that steers a terminal and turns the reading order.
const STEERS: &str = r#"
name = "steers"
title = "A text that steers"
tag = "[steers]"
prompt = "Write what steers [steers]"

[[turns]]
calls = [{ name = "files_write", arguments = { path = "notes.txt", content = "a\u001B[2Jb\u202Ec" } }]

[[turns]]
text = "Over."

[expect]
outcome = "done"
calls = [{ tool = "files_write", status = "done", when_denied = "denied" }]
answer = ["Over"]
requests = 2
"#;

#[test]
fn the_main_job_is_done_by_keyboard_alone() {
    let (home, prompt) = Home::for_scenario("demo-replace");
    let mut view = home.open();
    view.ask(&prompt);
    view.until("a card", View::asks);
    let card = view.card().unwrap();
    assert!(card.focused, "{}", view.shown());
    assert!(card.name.contains("readme.md"), "{card:?}");
    assert!(view.says("one battery") && view.says(CHANGED));
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

#[test]
fn a_denied_change_is_not_made() {
    let (home, prompt) = Home::for_scenario("demo-replace");
    let before = home.file("readme.md");
    let mut view = home.open();
    view.ask(&prompt);
    view.wait_for_card();
    view.key(Key::R);
    view.wait_for_words("The replacement gave: denied.");
    assert_eq!(home.file("readme.md"), before);
}

#[test]
fn the_reason_of_a_denial_reaches_the_model() {
    let home = Home::with(&[LATER]);
    home.simulator.release("the call");
    let mut view = home.open();
    view.ask("Write it later [later]");
    view.wait_for_card();
    view.press(Key::R, Modifiers::SHIFT);
    view.rest();
    let field = view.focused().unwrap();
    assert_eq!(field.name, "Why not? (the model reads it)");
    assert_eq!(field.value, "", "the key that opened it wrote nothing");
    // Letters are words here and decide nothing.
    for key in [Key::A, Key::R, Key::D] {
        view.key(key);
    }
    view.type_text(" wrong place");
    assert!(view.asks());
    view.key(Key::Enter);
    // The model says what it was told.
    view.wait_for_words("Their reason: ard wrong place");
    assert_eq!(home.file("later.txt"), "");
}

#[test]
fn a_reason_can_be_given_up() {
    let home = Home::with(&[LATER]);
    home.simulator.release("the call");
    let mut view = home.open();
    view.ask("Write it later [later]");
    view.wait_for_card();
    view.press(Key::R, Modifiers::SHIFT);
    view.rest();
    view.key(Key::Escape);
    view.rest();
    assert!(view.card().unwrap().focused, "{}", view.shown());
    view.key(Key::A);
    view.wait_for_words("Answered: later.txt");
    assert_eq!(home.file("later.txt"), "written");
}

#[test]
fn a_click_answers_as_a_key_does() {
    for (name, file) in [(names::APPROVE, "written"), (names::DENY, "")] {
        let home = Home::with(&[LATER]);
        let mut view = home.open();
        view.ask("Write it later [later]");
        home.simulator.release("the call");
        view.until("a card", View::asks);
        view.click(name);
        assert!(
            !view.state().approvals.all()[0].answered,
            "a click in the card's first moment was meant for something else"
        );
        view.pass(0.5);
        view.click(name);
        view.wait_for_words("Answered: ");
        assert_eq!(home.file("later.txt"), file);
    }
}

#[test]
fn a_key_in_the_first_400_ms_does_nothing_and_one_after_it_does() {
    let home = Home::with(&[LATER]);
    let mut view = home.open();
    view.ask("Write it later [later]");
    // Only now, so that the card is seen in its very first frame.
    home.simulator.release("the call");
    view.until("a card", View::asks);
    // The card has been there for 18 frames; the key comes in the 19th, 380 ms after it.
    view.pass(18.0 * FRAME - FRAME / 2.0);
    view.down(Key::A, Modifiers::NONE);
    view.up(Key::A, Modifiers::NONE);
    assert!(!view.state().approvals.all()[0].answered, "after 380 ms");
    view.down(Key::A, Modifiers::NONE);
    let open = |view: &View| view.state().approvals.all().iter().any(|one| !one.answered);
    assert!(!open(&view), "after 420 ms");
    view.wait_for_words("Answered: later.txt");
}

#[test]
fn a_key_that_is_held_down_answers_nothing() {
    let home = Home::with(&[LATER]);
    home.simulator.release("the call");
    let mut view = home.open();
    view.ask("Write it later [later]");
    view.until("a card", View::asks);
    for _ in 0..60 {
        view.down(Key::A, Modifiers::NONE);
    }
    assert!(!view.state().approvals.all()[0].answered);
    view.up(Key::A, Modifiers::NONE);
    view.down(Key::A, Modifiers::NONE);
    view.wait_for_words("Answered: later.txt");
}

#[test]
fn a_card_that_arrives_while_typing_takes_no_key() {
    let home = Home::with(&[LATER]);
    let mut view = home.open();
    view.ask("Write it later [later]");
    view.type_text("b");
    home.simulator.release("the call");
    view.until("a card", View::asks);
    view.pass(1.0);
    assert!(view.field().focused, "{}", view.shown());
    for key in [Key::A, Key::R, Key::D] {
        view.key(key);
    }
    assert_eq!(view.message(), "bard");
    assert!(!view.state().approvals.all()[0].answered);
    view.press(Key::J, Modifiers::COMMAND);
    view.rest();
    assert!(view.card().unwrap().focused, "{}", view.shown());
    view.pass(0.5);
    view.key(Key::A);
    view.wait_for_words("Answered: later.txt");
    assert_eq!(view.message(), "bard", "the draft is kept");
    assert_eq!(home.file("later.txt"), "written");
}

#[test]
fn a_key_typed_when_a_card_is_sent_for_counts_only_after_a_moment() {
    let home = Home::with(&[LATER]);
    let mut view = home.open();
    view.ask("Write it later [later]");
    view.type_text("b");
    home.simulator.release("the call");
    view.until("a card", View::asks);
    view.pass(5.0);
    // Whoever deletes the draft and goes on typing must not approve: the card doesn't take the focus by itself.
    view.key(Key::Backspace);
    view.key(Key::A);
    assert_eq!(view.message(), "a");
    assert!(!view.state().approvals.all()[0].answered);
}

#[test]
fn two_cards_wait_and_each_is_answered_by_itself() {
    let home = Home::with(&[LATER]);
    home.simulator.release("the call");
    let prompt = home.lay("demo-replace");
    let mut view = home.open();
    view.ask(&prompt);
    view.wait_for_card();
    assert!(!view.says("1 of 1"));
    view.press(Key::N, Modifiers::COMMAND);
    view.rest();
    view.ask("Write it later [later]");
    view.until("the second card", |view| {
        view.card()
            .is_some_and(|card| card.name.contains("later.txt"))
    });
    assert!(view.says("2 of 2"), "{}", view.shown());
    view.pass(0.5);
    view.key(Key::ArrowDown);
    view.until("the first card", |view| {
        view.card()
            .is_some_and(|card| card.name.contains("readme.md"))
    });
    assert!(view.says("1 of 2"), "{}", view.shown());
    assert!(view.card().unwrap().focused, "{}", view.shown());
    // It has just appeared under the focus.
    view.key(Key::A);
    assert!(view.state().approvals.all().iter().all(|one| !one.answered));
    view.pass(0.5);
    view.key(Key::A);
    view.wait_for_words("The replacement gave: readme.md.");
    assert!(home.file("readme.md").contains(CHANGED));
    assert_eq!(home.file("later.txt"), "", "the other one still waits");
    view.press(Key::J, Modifiers::COMMAND);
    view.until("the other card", |view| {
        view.card()
            .is_some_and(|card| card.name.contains("later.txt"))
    });
    view.pass(0.5);
    view.key(Key::R);
    view.wait_for_words("Answered: ");
    assert_eq!(home.file("later.txt"), "");
}

#[test]
fn characters_that_steer_are_shown_by_their_code() {
    let home = Home::with(&[STEERS]);
    // What ends in `exe` would seem to end in `txt`.
    let folder = home.folder().join("notes\u{202E}txt.exe");
    std::fs::create_dir(&folder).unwrap();
    let mut view = home.open_on(&folder);
    view.ask("Write what steers [steers]");
    view.wait_for_card();
    let card = view.card().unwrap();
    assert!(
        card.name.contains("notes\\u{202e}txt.exe/notes.txt"),
        "{card:?}"
    );
    assert!(view.says("a\\u{1b}[2Jb\\u{202e}c"), "{}", view.shown());
    view.key(Key::D);
    view.rest();
    for seen in view.all() {
        let bad = |c: char| c == '\u{202E}' || (c.is_control() && c != '\n' && c != '\t');
        assert!(
            !seen.name.contains(bad) && !seen.value.contains(bad),
            "{seen:?}"
        );
    }
}

#[test]
fn esc_leaves_the_card_and_it_still_waits() {
    let home = Home::with(&[LATER]);
    home.simulator.release("the call");
    let mut view = home.open();
    view.ask("Write it later [later]");
    view.wait_for_card();
    view.key(Key::Escape);
    view.rest();
    assert!(view.field().focused && view.asks());
    view.key(Key::A);
    assert_eq!(view.message(), "a");
    assert!(
        view.state()
            .open_session()
            .unwrap()
            .transcript
            .running()
            .is_some()
    );
}

#[test]
fn a_card_leaves_nothing_of_a_long_line_out() {
    let old = "x".repeat(5_000);
    let scenario = format!(
        r#"
name = "long"
title = "A long line"
tag = "[long]"
prompt = "Change the end of the line [long]"
workspace = """
//- /line.txt
{old}
"""

[[turns]]
calls = [{{ name = "files_replace", arguments = {{ path = "line.txt", oldText = "{old}", newText = "{old}THE-END" }} }}]

[[turns]]
text = "Over."

[expect]
outcome = "done"
calls = [{{ tool = "files_replace", status = "done", when_denied = "denied" }}]
answer = ["Over"]
requests = 2
"#
    );
    let home = Home::with(&[&scenario]);
    std::fs::write(home.folder().join("line.txt"), format!("{old}\n")).unwrap();
    let mut view = home.open();
    view.ask("Change the end of the line [long]");
    view.wait_for_card();
    assert!(view.says("THE-END"), "{}", view.shown());
}

#[test]
fn a_card_is_in_sight_and_answered_in_a_narrow_window_and_at_a_large_zoom() {
    let (home, prompt) = Home::for_scenario("demo-replace");
    let mut view = home.open();
    view.ask(&prompt);
    view.wait_for_card();
    let buttons = [names::APPROVE, names::DENY, names::DETAILS];
    for (size, zoomed) in [([640, 480], 0), ([640, 900], 10)] {
        view.resize(size);
        for _ in 0..zoomed {
            view.press(Key::Plus, Modifiers::COMMAND);
        }
        view.rest();
        let room = view.context().content_rect();
        for button in buttons {
            let at = view.find(button).unwrap().at;
            assert!(
                at.left() >= 0.0 && at.right() <= room.right(),
                "{button} at {at} in {room}"
            );
        }
        let approve = view.find(names::APPROVE).unwrap().at;
        assert!(room.contains_rect(approve), "{approve} in {room}");
    }
    view.press(Key::J, Modifiers::COMMAND);
    view.pass(1.0);
    view.key(Key::A);
    view.wait_for_the_end();
    assert!(home.file("readme.md").contains("two batteries"));
}
