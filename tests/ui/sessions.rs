//! Sessions: switching, restarting, finding, renaming and deleting them.

use eframe::egui::{Key, Modifiers, PointerButton};
use wisp_engine::History;

use crate::harness::{ANSWER, Home, View};
use crate::writing::{HALF, HALF_PROMPT, in_the_middle};

/// The titles in the sidebar, from the top.
fn listed(view: &View) -> Vec<String> {
    let state = view.state();
    let shown = state.sessions.shown();
    shown.map(|session| session.title.clone()).collect()
}

/// What the data folder holds.
fn stored(home: &Home) -> Vec<String> {
    let sessions = History::of(home.data.path()).sessions().unwrap();
    sessions.into_iter().map(|session| session.title).collect()
}

/// A window with sessions of these first messages, the last one on screen.
fn with_sessions(home: &Home, messages: &[&str]) -> View {
    let mut view = home.open();
    for message in messages {
        view.press(Key::N, Modifiers::COMMAND);
        view.rest();
        view.say(message);
    }
    view
}

#[test]
fn a_session_is_there_after_a_restart() {
    let home = Home::new();
    let view = with_sessions(&home, &["Good morning"]);
    view.close();
    let mut view = home.open();
    assert_eq!(listed(&view), ["Good morning"]);
    view.click("Good morning");
    view.wait_for_words(ANSWER);
}

#[test]
fn a_run_that_was_cut_off_is_shown_as_interrupted() {
    let home = Home::with(&[HALF]);
    drop(in_the_middle(&home));
    let mut view = home.open();
    view.click(HALF_PROMPT);
    view.wait_for_words("Interrupted: the program ended during this run");
    assert!(view.says("the first half"), "{}", view.shown());
    assert!(!view.says("running"));
    let asked = home.simulator.log().requests.len();
    view.pass(1.0);
    assert_eq!(asked, 1, "nothing is repeated by itself");
    home.simulator.release("the middle");
}

#[test]
fn a_run_goes_on_while_another_session_is_on_screen() {
    let home = Home::with(&[HALF]);
    let mut view = in_the_middle(&home);
    view.type_text("for later");
    view.press(Key::N, Modifiers::COMMAND);
    view.rest();
    assert_eq!(view.message(), "", "a draft is its session's");
    view.ask("Hello");
    view.wait_for_words(ANSWER);
    view.wait_for_the_end();
    assert!(!view.says("the first half"));
    home.simulator.release("the middle");
    view.until("the other run's end", |view| {
        view.state()
            .sessions
            .shown()
            .all(|session| !session.running)
    });
    view.click(HALF_PROMPT);
    view.wait_for_words("the second half of them.");
    assert_eq!(view.message(), "for later");
}

#[test]
fn the_list_says_which_session_runs_and_which_waits() {
    let home = Home::with(&[HALF]);
    let mut view = in_the_middle(&home);
    let running = format!("{HALF_PROMPT}, running");
    assert!(view.find(&running).is_some(), "{}", view.shown());
    let prompt = home.lay("demo-replace");
    view.press(Key::N, Modifiers::COMMAND);
    view.rest();
    view.ask(&prompt);
    view.wait_for_card();
    let waits = format!("{prompt}, waits for you");
    assert!(view.find(&waits).is_some(), "{}", view.shown());
    home.simulator.release("the middle");
}

#[test]
fn sessions_are_gone_through_by_key() {
    let home = Home::new();
    let mut view = with_sessions(&home, &["One", "Two", "Three"]);
    let on_screen = |view: &View| {
        let state = view.state();
        let current = state.current.as_ref().unwrap();
        state.sessions.summary(current).unwrap().title.clone()
    };
    assert_eq!(listed(&view), ["Three", "Two", "One"]);
    view.press(Key::PageDown, Modifiers::COMMAND);
    assert_eq!(on_screen(&view), "Two");
    view.press(Key::PageDown, Modifiers::COMMAND);
    assert_eq!(on_screen(&view), "One");
    view.press(Key::PageUp, Modifiers::COMMAND);
    assert_eq!(on_screen(&view), "Two");
}

#[test]
fn a_deleted_session_can_be_brought_back() {
    let home = Home::new();
    let mut view = with_sessions(&home, &["Keep me"]);
    view.press(Key::Delete, Modifiers::COMMAND | Modifiers::SHIFT);
    view.rest();
    assert_eq!(listed(&view), [""; 0]);
    assert!(view.says("“Keep me” was deleted."), "{}", view.shown());
    view.pass(1.0);
    view.click("Undo");
    view.until("the session", |view| listed(view) == ["Keep me"]);
    view.wait_for_words(ANSWER);
    view.pass(20.0);
    view.close();
    assert_eq!(stored(&home), ["Keep me"]);
}

#[test]
fn a_deleted_session_is_gone_when_the_time_to_undo_it_is_over() {
    let home = Home::new();
    let mut view = with_sessions(&home, &["Stay", "Go"]);
    view.press(Key::Delete, Modifiers::COMMAND | Modifiers::SHIFT);
    view.pass(1.0);
    assert_eq!(stored(&home).len(), 2, "it can still be brought back");
    view.pass(10.0);
    view.until("the deletion", |view| {
        view.state().sessions.hidden().next().is_none()
    });
    assert_eq!(stored(&home), ["Stay"]);
    assert_eq!(listed(&view), ["Stay"]);
}

#[test]
fn a_deletion_that_could_still_be_undone_is_done_when_the_window_closes() {
    let home = Home::new();
    let mut view = with_sessions(&home, &["Stay", "Go"]);
    view.press(Key::Delete, Modifiers::COMMAND | Modifiers::SHIFT);
    view.rest();
    view.close();
    assert_eq!(stored(&home), ["Stay"]);
}

#[test]
fn a_session_with_a_run_going_on_is_not_deleted() {
    let home = Home::with(&[HALF]);
    let mut view = in_the_middle(&home);
    view.press(Key::Delete, Modifiers::COMMAND | Modifiers::SHIFT);
    view.rest();
    assert!(
        view.says("Stop its run before deleting a session."),
        "{}",
        view.shown()
    );
    assert_eq!(listed(&view), [HALF_PROMPT]);
    home.simulator.release("the middle");
}

#[test]
fn a_session_is_renamed_by_key_and_by_its_menu() {
    let home = Home::new();
    let mut view = with_sessions(&home, &["Old"]);
    view.key(Key::F2);
    view.rest();
    let field = view.focused().unwrap();
    assert_eq!(
        (field.name.as_str(), field.value.as_str()),
        ("Rename session", "Old")
    );
    view.press(Key::A, Modifiers::COMMAND);
    view.type_text("New");
    view.key(Key::Enter);
    view.until("the title", |view| listed(view) == ["New"]);
    view.click_with("New", PointerButton::Secondary);
    view.click("Rename");
    view.type_text(" again");
    view.click("Save");
    view.until("the title", |view| listed(view) == ["New again"]);
    view.close();
    assert_eq!(stored(&home), ["New again"]);
}

#[test]
fn a_search_finds_words_and_opens_their_session() {
    let home = Home::new();
    let mut view = with_sessions(&home, &["The yellow submarine", "Something else"]);
    view.press(Key::F, Modifiers::COMMAND);
    view.rest();
    view.type_text("yellow");
    let hit = "The yellow submarine: ";
    view.until("a hit", |view| {
        view.all().iter().any(|seen| seen.name.starts_with(hit))
    });
    let name = view
        .all()
        .into_iter()
        .find(|seen| seen.name.starts_with(hit))
        .unwrap()
        .name;
    view.click(&name);
    view.rest();
    let current = view.state().current.clone().unwrap();
    let title = view
        .state()
        .sessions
        .summary(&current)
        .unwrap()
        .title
        .clone();
    assert_eq!(title, "The yellow submarine");
    view.press(Key::F, Modifiers::COMMAND);
    view.press(Key::A, Modifiers::COMMAND);
    view.type_text("zebra");
    view.wait_for_words("Nothing was found for “zebra”.");
    view.key(Key::Escape);
    view.rest();
    assert!(view.field().focused, "{}", view.shown());
}

#[test]
fn words_are_found_in_the_session_on_screen() {
    let home = Home::new();
    let mut view = with_sessions(&home, &["The yellow submarine"]);
    view.say("Yellow again");
    view.press(Key::F, Modifiers::COMMAND | Modifiers::SHIFT);
    view.rest();
    view.type_text("yellow");
    assert!(view.says("2 of 2"), "{}", view.shown());
    view.key(Key::Enter);
    view.rest();
    assert!(view.says("1 of 2"), "{}", view.shown());
    view.type_text(" zebra");
    assert!(view.says("No match"));
    view.key(Key::Escape);
    view.rest();
    assert!(!view.says("No match"));
    assert!(view.field().focused, "{}", view.shown());
}
