//! The main job in the real window, and what becomes of it when things go wrong.

use std::fs;
use std::time::{Duration, Instant};

use eframe::egui::accesskit::{Action, Role};
use eframe::egui::{Key, Modifiers};
use tempfile::TempDir;
use wisp_qa::{MODEL_NAME, Scenario, Simulator};
use wisp_tests::{PATIENCE, Running, Screen, Tree, Widget, Window, names, wisp};

/// An answer that stops in its middle until the test lets it go on.
const HALF: &str = r#"
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

/// An answer that comes word by word, when the test lets it begin.
const SLOW: &str = r#"
name = "slow"
title = "An answer word by word"
tag = "[slow]"
prompt = "Tell me slowly [slow]"

[[turns]]
text = """
one two three four five six seven eight nine ten one two three four five six seven eight nine ten
one two three four five six seven eight nine ten one two three four five six seven eight nine ten
"""
hold = { start = "the start" }
stream = { chunk = "words", pace_millis = 50 }

[expect]
outcome = "done"
answer = ["ten"]
requests = 1
"#;

const SLOW_PROMPT: &str = "Tell me slowly [slow]";
const HALF_PROMPT: &str = "Tell me in two halves [half]";
pub(super) const REPLACE_PROMPT: &str = "Make it run on two batteries [demo:replace]";

/// Without a frame for so long, a window is at rest.
const QUIET: Duration = Duration::from_secs(2);

/// A data folder whose settings lead to a scripted model, and a folder to work on.
pub(crate) struct Place {
    simulator: Simulator,
    pub(crate) home: TempDir,
    pub(crate) folder: TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        let mut scenarios = wisp_qa::builtin();
        scenarios.extend([HALF, SLOW].map(|text| Scenario::parse(text).unwrap()));
        let simulator = Simulator::start(scenarios, 0).unwrap();
        let home = tempfile::tempdir().unwrap();
        let settings = format!(
            "base_url = \"{}\"\nmodel = \"{MODEL_NAME}\"\nprovider = \"deepseek\"\n",
            simulator.base_url()
        );
        fs::write(home.path().join("settings.toml"), settings).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let lamp = "# Lantern\n\nA small lamp that runs on one battery.\n";
        fs::write(folder.path().join("readme.md"), lamp).unwrap();
        Self {
            simulator,
            home,
            folder,
        }
    }

    pub(super) fn command(&self) -> std::process::Command {
        let mut command = wisp(self.home.path());
        command.arg("--dir").arg(self.folder.path());
        command
    }

    #[track_caller]
    pub(crate) fn open(&self, screen: &Screen) -> Window {
        let mut window = Window::open(screen, &mut self.command());
        window.wait_until("the message field", composer);
        window.wait_for("wisp-scripted");
        window
    }

    pub(crate) fn file(&self) -> String {
        fs::read_to_string(self.folder.path().join("readme.md")).unwrap()
    }
}

pub(super) fn composer(tree: &Tree) -> Option<Widget> {
    let field = tree.find(Some(Role::MultilineTextInput), names::COMPOSER);
    field.cloned()
}

#[track_caller]
pub(crate) fn ask(window: &mut Window, prompt: &str) {
    window.wait_until("the keyboard in the message field", |tree| {
        composer(tree).filter(|field| field.focused)
    });
    window.type_text(prompt);
    window.press(Key::Enter, Modifiers::NONE);
}

/// Opens a session of the list.
#[track_caller]
fn show(window: &mut Window, title: &str) {
    let row = window.wait_for_role(Role::Button, title);
    window.act(&row, Action::Click);
}

#[test]
fn a_approves_and_the_file_is_changed() {
    let Some(screen) = Screen::or_skip(&[]) else {
        return;
    };
    let place = Place::new();
    let mut window = place.open(&screen);
    ask(&mut window, REPLACE_PROMPT);
    window.wait_until("a card", |tree| tree.card().cloned());
    assert!(place.file().contains("one battery"));
    window.press_until(Key::A, "the card's end", |tree| tree.card().is_none());
    window.wait_for_words("The replacement gave: readme.md.");
    assert!(place.file().contains("two batteries"));
    assert!(!window.kill().contains("panicked"));
}

#[test]
fn r_denies_and_the_file_is_not_changed() {
    let Some(screen) = Screen::or_skip(&[]) else {
        return;
    };
    let place = Place::new();
    let mut window = place.open(&screen);
    ask(&mut window, REPLACE_PROMPT);
    window.wait_until("a card", |tree| tree.card().cloned());
    window.press_until(Key::R, "the card's end", |tree| tree.card().is_none());
    window.wait_for_words("The replacement gave: denied.");
    assert!(place.file().contains("one battery"));
}

#[test]
fn a_run_that_the_windows_end_cut_off_is_shown_as_interrupted() {
    let Some(screen) = Screen::or_skip(&[]) else {
        return;
    };
    for by_force in [true, false] {
        let place = Place::new();
        let mut window = place.open(&screen);
        ask(&mut window, HALF_PROMPT);
        window.wait_for_words("the first half");
        if by_force {
            window.kill();
        } else {
            window.press(Key::Q, Modifiers::COMMAND);
            let status = window.wait(PATIENCE).expect("the window doesn't close");
            assert!(status.success(), "{status}");
        }
        let mut window = place.open(&screen);
        show(&mut window, HALF_PROMPT);
        window.wait_for_words("Interrupted: the program ended during this run");
        window.wait_for_words("the first half");
        place.simulator.release("the middle");
        assert_eq!(
            place.simulator.log().requests.len(),
            1,
            "nothing is repeated"
        );
    }
}

#[test]
fn a_second_window_on_the_same_data_says_that_one_is_open() {
    let Some(screen) = Screen::or_skip(&[]) else {
        return;
    };
    let place = Place::new();
    let mut first = place.open(&screen);
    ask(&mut first, HALF_PROMPT);
    first.wait_for_words("the first half");
    let mut second = Window::open(&screen, &mut place.command());
    second.wait_for_words("Another copy of Wisp is open");
    // It takes nothing away from the first one.
    place.simulator.release("the middle");
    first.wait_for_words("the second half of them.");
    assert!(!second.kill().contains("panicked"));
    first.kill();
    let mut third = place.open(&screen);
    show(&mut third, HALF_PROMPT);
    third.wait_for_words("the second half of them.");
}

#[test]
fn keys_of_a_real_keyboard_do_the_main_job() {
    let Some(screen) = Screen::or_skip(&["xdotool"]) else {
        return;
    };
    let place = Place::new();
    let mut window = place.open(&screen);
    let deadline = Instant::now() + PATIENCE;
    assert!(screen.find_window("Wisp", deadline).is_some());
    window.wait_until("the keyboard in the message field", |tree| {
        composer(tree).filter(|field| field.focused)
    });
    screen.type_text(REPLACE_PROMPT, deadline);
    window.wait_until("the words", |tree| {
        composer(tree).filter(|field| field.value == REPLACE_PROMPT)
    });
    screen.press("Return", deadline);
    window.wait_until("a card", |tree| tree.card().cloned());
    while !place.file().contains("two batteries") {
        assert!(Instant::now() < deadline, "{}", window.tree());
        // In the card's first moment it does nothing.
        screen.press("a", deadline);
        window.settle();
    }
    window.wait_for_words("The replacement gave: readme.md.");
    let field = window.wait_until("the message field", composer);
    assert!(field.value.chars().all(|typed| typed == 'a'), "{field:?}");
}

#[test]
fn a_display_that_goes_away_ends_the_window_and_loses_nothing() {
    let Some(screen) = Screen::or_skip(&[]) else {
        return;
    };
    let place = Place::new();
    let mut window = place.open(&screen);
    ask(&mut window, HALF_PROMPT);
    window.wait_for_words("the first half");
    drop(screen);
    let status = window
        .wait(PATIENCE)
        .expect("the window outlives its display");
    assert!(!status.success(), "{status}");
    assert!(!window.kill().contains("panicked at app"));
    let screen = Screen::start(&[]).unwrap();
    let mut window = place.open(&screen);
    show(&mut window, HALF_PROMPT);
    window.wait_for_words("the first half");
    window.wait_for_words("Interrupted: the program ended during this run");
    place.simulator.release("the middle");
}

/// The inspection port draws a frame for each look at the window, so that a wake-up that was forgotten would not be
/// missed through it. Here nobody looks: the program says itself when it draws.
#[test]
fn the_window_draws_by_itself_when_something_comes() {
    let Some(screen) = Screen::or_skip(&["xdotool"]) else {
        return;
    };
    let place = Place::new();
    let mut command = place.command();
    command.env("WISP_TRACE_FRAMES", "1");
    let mut running = Running::start(screen.show(&mut command));
    let deadline = Instant::now() + PATIENCE;
    assert!(screen.find_window("Wisp", deadline).is_some());
    frames_until_rest(&running);
    screen.type_text(SLOW_PROMPT, deadline);
    screen.press("Return", deadline);
    assert!(
        place.simulator.wait_for("the start", PATIENCE),
        "nothing was sent; the program said: {}",
        running.kill()
    );
    while running.next_line(Duration::ZERO).is_some() {}
    // Nothing but the engine's events can wake it now, and the seconds that are counted while a run goes on.
    place.simulator.release("the start");
    let drawn = frames_until_rest(&running);
    assert!(
        drawn > 15,
        "40 words came in 2 s, and {drawn} frames were drawn"
    );
    assert!(running.wait(Duration::ZERO).is_none(), "it still runs");
}

/// Waits until a traced window draws no more; how many frames that took.
#[track_caller]
fn frames_until_rest(running: &Running) -> usize {
    let deadline = Instant::now() + PATIENCE;
    let mut frames = 0;
    while let Some(line) = running.next_line(QUIET) {
        frames += usize::from(line.starts_with("frame "));
        assert!(Instant::now() < deadline, "the window never rests");
    }
    frames
}
