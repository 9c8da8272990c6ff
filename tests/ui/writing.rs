//! The message field: sending, queueing, recalling, pasting, and input methods.

use eframe::egui::{Event, ImeEvent, Key, Modifiers};

use wisp_tests::key_event;

use crate::harness::{ANSWER, Home, Setup, View};

/// An answer that stops in its middle until the test lets it go on.
pub(crate) const HALF: &str = r#"
name = "half"
title = "An answer in two halves"
tag = "[half]"
prompt = "Tell me in two halves [half]"

[[turns]]
text = "Here comes the first half of all these words, and there goes the second half of them."
hold = { mid = "the middle" }
stream = { chunk = "words" }

[expect]
outcome = "done"
answer = ["second half"]
requests = 1
"#;

/// What to type for it.
pub(crate) const HALF_PROMPT: &str = "Tell me in two halves [half]";

/// A window in whose session a run is in the middle of its answer.
pub(crate) fn in_the_middle(home: &Home) -> View {
    let mut view = home.open();
    view.ask(HALF_PROMPT);
    view.wait_for_words("the first half");
    view
}

fn sent(view: &View) -> Vec<String> {
    let state = view.state();
    let runs = state.open_session().map(|open| &open.transcript.runs);
    let texts = runs.into_iter().flatten().map(|run| run.text.clone());
    texts.collect()
}

#[test]
fn a_message_sent_while_the_engine_starts_is_sent_when_it_has() {
    let home = Home::new();
    let mut view = View::open(home.data.path(), Setup::default());
    view.type_text("Early");
    view.key(Key::Enter);
    view.until("the run", |view| sent(view) == ["Early"]);
    view.wait_for_the_end();
}

#[test]
fn esc_twice_stops_the_run_and_once_does_not() {
    let home = Home::with(&[HALF]);
    let mut view = in_the_middle(&home);
    view.key(Key::Escape);
    assert!(view.says("Esc again stops the run"), "{}", view.shown());
    view.pass(2.0);
    assert!(!view.says("Esc again stops the run"));
    view.key(Key::Escape);
    view.rest();
    let running = view
        .state()
        .open_session()
        .unwrap()
        .transcript
        .running()
        .is_some();
    assert!(running, "the first Esc was too long ago");
    view.key(Key::Escape);
    view.wait_for_words("Stopped by you");
    view.wait_for_the_end();
    assert!(view.says("the first half"), "what was said is kept");
    home.simulator.release("the middle");
}

#[test]
fn a_message_written_during_a_run_is_sent_after_it() {
    let home = Home::with(&[HALF]);
    let mut view = in_the_middle(&home);
    view.ask("And then?");
    assert!(
        view.says("Queued") && view.says("And then?"),
        "{}",
        view.shown()
    );
    assert_eq!(view.message(), "");
    assert_eq!(sent(&view), [HALF_PROMPT]);
    home.simulator.release("the middle");
    view.wait_for_words(ANSWER);
    assert_eq!(sent(&view), [HALF_PROMPT, "And then?"]);
    assert!(!view.says("Queued"));
}

#[test]
fn a_queued_message_can_be_taken_back_and_sent_at_once() {
    let home = Home::with(&[HALF]);
    let mut view = in_the_middle(&home);
    view.ask("One");
    view.ask("Two");
    view.click("Edit");
    assert_eq!(view.message(), "One");
    view.click("Send now");
    view.until("the second run", |view| sent(view) == [HALF_PROMPT, "Two"]);
    assert!(view.says("Stopped by you"));
    assert_eq!(view.message(), "One");
    view.wait_for_the_end();
}

#[test]
fn an_input_method_sends_nothing_while_it_composes() {
    let home = Home::new();
    let mut view = home.open();
    let enter = || [true, false].map(|pressed| key_event(Key::Enter, pressed, Modifiers::NONE));
    view.frame(vec![View::preedit("ni")]);
    view.frame(enter().to_vec());
    view.frame(vec![View::preedit("nihao")]);
    view.frame(enter().to_vec());
    assert_eq!(sent(&view), [""; 0]);
    // The frame that commits has the Enter that chose the words.
    let [down, up] = enter();
    view.frame(vec![
        down,
        View::preedit(""),
        Event::Ime(ImeEvent::Commit("你好".to_owned())),
        up,
    ]);
    view.rest();
    view.pass(1.0);
    assert_eq!(view.message(), "你好");
    assert!(view.state().current.is_none(), "nothing was sent");
    view.key(Key::Enter);
    view.until("the run", |view| sent(view) == ["你好"]);
    view.wait_for_the_end();
    view.pass(1.0);
    assert_eq!(sent(&view), ["你好"], "it was sent once");
    assert_eq!(view.message(), "");
}

#[test]
fn enter_that_is_held_down_sends_once() {
    let home = Home::new();
    let mut view = home.open();
    view.type_text("Hello");
    for _ in 0..10 {
        view.down(Key::Enter, Modifiers::NONE);
    }
    view.up(Key::Enter, Modifiers::NONE);
    view.wait_for_the_end();
    assert_eq!(sent(&view), ["Hello"]);
}

#[test]
fn shift_enter_makes_a_line_and_sends_nothing() {
    let home = Home::new();
    let mut view = home.open();
    view.type_text("one");
    view.press(Key::Enter, Modifiers::SHIFT);
    view.type_text("two");
    assert_eq!(view.message(), "one\ntwo");
    assert!(view.state().current.is_none());
}

#[test]
fn an_empty_message_is_not_sent() {
    let home = Home::new();
    let mut view = home.open();
    view.type_text("   ");
    view.key(Key::Enter);
    view.pass(0.5);
    assert!(view.state().current.is_none());
}

#[test]
fn earlier_messages_come_back_with_the_up_key() {
    let home = Home::new();
    let mut view = home.open();
    for text in ["First", "Second"] {
        view.say(text);
    }
    view.key(Key::ArrowUp);
    assert_eq!(view.message(), "Second");
    view.key(Key::ArrowUp);
    assert_eq!(view.message(), "First");
    view.key(Key::ArrowDown);
    view.key(Key::ArrowDown);
    assert_eq!(view.message(), "");
    view.type_text("Third");
    view.key(Key::ArrowUp);
    assert_eq!(view.message(), "Third", "a draft is not replaced");
}

/// Lines of so many bytes in all, or a few more.
fn lines(bytes: usize) -> String {
    let line = "0123456789 abcdefghijklmnopqrstuvwxyz\n";
    line.repeat(bytes.div_ceil(line.len()))
}

#[test]
fn a_long_paste_is_attached_and_sent_whole() {
    let home = Home::new();
    let mut view = home.open();
    let text = lines(1_900_000);
    view.type_text("Read this");
    view.frame(vec![Event::Paste(text.clone())]);
    view.rest();
    assert_eq!(view.message(), "Read this");
    assert!(view.says("1.9 MB"), "{}", view.shown());
    view.key(Key::Enter);
    view.until("the run", |view| !sent(view).is_empty());
    view.wait_for_the_end();
    assert_eq!(
        sent(&view)[0].trim_end(),
        format!("Read this\n\n{}", text.trim_end())
    );
    let asked = home.simulator.log().requests;
    assert!(asked[0].bytes > text.len(), "{asked:?}");
}

#[test]
fn a_paste_that_no_request_can_hold_comes_back_whole() {
    let home = Home::new();
    let mut view = home.open();
    let text = lines(10_000_000);
    view.frame(vec![Event::Paste(text.clone())]);
    view.rest();
    view.key(Key::Enter);
    view.wait_for_words("2000000 at most fit");
    assert_eq!(sent(&view), [""; 0]);
    let state = view.state();
    let kept = &state.draft().pasted;
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].text.trim_end(), text.trim_end());
}

#[test]
fn an_attached_text_can_be_removed() {
    let home = Home::new();
    let mut view = home.open();
    view.frame(vec![Event::Paste("x".repeat(20_000))]);
    view.rest();
    assert!(view.says("Pasted text"), "{}", view.shown());
    view.click("Remove");
    assert!(!view.says("Pasted text"));
}

#[test]
fn a_line_of_a_million_characters_is_sent_and_drawn() {
    let home = Home::new();
    let mut view = home.open();
    let text = format!("begin {} end", "x".repeat(1_000_000));
    view.frame(vec![Event::Paste(text.clone())]);
    view.rest();
    view.key(Key::Enter);
    view.until("the run", |view| !sent(view).is_empty());
    view.wait_for_the_end();
    assert_eq!(sent(&view), [text]);
    assert!(view.says("begin "), "{}", view.shown());
}
