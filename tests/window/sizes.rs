//! The window's size: kept for the next start, and on a screen that is smaller than it would like.

use std::fs;
use std::process::Command;
use std::time::Instant;

use eframe::egui::accesskit::{Action, Role};
use eframe::egui::{Key, Modifiers, Pos2, Rect, pos2};
use tempfile::TempDir;
use wisp_tests::{PATIENCE, Screen, Tree, Widget, Window, names, wisp};

use super::working::{Place, REPLACE_PROMPT, ask, composer};

fn settings(home: &TempDir) -> String {
    fs::read_to_string(home.path().join("settings.toml")).unwrap_or_default()
}

/// Waits until the settings file says all of these.
#[track_caller]
fn wait_for_settings(window: &mut Window, home: &TempDir, wanted: &[&str]) {
    let what = format!("{wanted:?} in the settings file");
    window.wait_until(&what, |_| {
        let text = settings(home);
        wanted.iter().all(|line| text.contains(line)).then_some(())
    });
}

/// Clicks the window's title twice, which fills the screen with it or takes that back.
fn toggle_full(screen: &Screen) {
    let window = screen
        .find_window("Wisp", Instant::now() + PATIENCE)
        .unwrap();
    let mut xdotool = Command::new("xdotool");
    xdotool.args(["mousemove", "--window", &window, "--", "300", "-8"]);
    xdotool.args(["click", "--repeat", "2", "--delay", "60", "1"]);
    assert!(screen.show(&mut xdotool).status().unwrap().success());
}

#[test]
fn a_size_is_found_again_at_the_next_start_and_a_full_screens_is_not_taken_for_one() {
    let Some(screen) = Screen::or_skip(&["xdotool"]) else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let mut window = Window::open(&screen, &mut wisp(home.path()));
    window.wait_for("New session");
    assert_eq!(window.size(), [1280, 800]);
    window.resize(900, 650);
    wait_for_settings(&mut window, &home, &["width = 900", "height = 650"]);
    window.press(Key::Q, Modifiers::COMMAND);
    assert!(window.wait(PATIENCE).expect("it closes").success());

    let mut window = Window::open(&screen, &mut wisp(home.path()));
    window.wait_for("New session");
    assert_eq!(window.size(), [900, 650]);
    toggle_full(&screen);
    wait_for_settings(
        &mut window,
        &home,
        &["extent = \"maximized\"", "width = 900"],
    );
    assert!(!window.kill().contains("panicked"));

    let mut window = Window::open(&screen, &mut wisp(home.path()));
    window.wait_for("New session");
    window.wait_until_size("as wide as the screen", |[width, _]| width == 1600);
    toggle_full(&screen);
    window.wait_until_size("as before", |size| size == [900, 650]);
    window.wait_until("the end of the full screen in the settings file", |_| {
        (!settings(&home).contains("extent")).then_some(())
    });
}

/// Whether all of a widget is within a window of this size.
fn is_inside(widget: &Widget, [width, height]: [u32; 2]) -> bool {
    let side = |points: u32| f32::from(u16::try_from(points).unwrap());
    let window = Rect::from_min_max(Pos2::ZERO, pos2(side(width), side(height)));
    (widget.bounds).is_some_and(|bounds| bounds.is_positive() && window.contains_rect(bounds))
}

/// Everything that can be pressed or typed into.
fn controls(tree: &Tree) -> Vec<Widget> {
    const ROLES: [Role; 6] = [
        Role::Button,
        Role::CheckBox,
        Role::RadioButton,
        Role::TextInput,
        Role::MultilineTextInput,
        Role::SpinButton,
    ];
    let all = tree.widgets.iter();
    all.filter(|widget| ROLES.contains(&widget.role))
        .cloned()
        .collect()
}

/// Each control is on screen, or comes there when the keyboard goes to it.
#[track_caller]
fn assert_all_in_reach(window: &mut Window, page: &str, least: usize) {
    window.settle();
    let size = window.size();
    let all = controls(&window.tree());
    assert!(all.len() >= least, "{page}: {all:#?}");
    for control in all {
        let in_sight = |tree: &Tree| {
            let now = tree.widgets.iter().find(|widget| widget.id == control.id);
            now.filter(|now| is_inside(now, size)).map(|_| ())
        };
        if in_sight(&window.tree()).is_none() {
            window.act(&control, Action::ScrollIntoView);
            let what = format!("{page}: {:?} {:?} in sight", control.role, control.name);
            window.wait_until(&what, in_sight);
        }
    }
}

#[test]
fn on_a_small_screen_everything_is_in_reach() {
    const SMALL: [u32; 2] = [800, 600];
    let Some(screen) = Screen::of_size_or_skip(SMALL, &["xdotool"]) else {
        return;
    };
    let place = Place::new();
    let mut window = place.open(&screen);
    // With the window manager's title above it, all of it is on the screen.
    window.wait_until_size("lower than the screen", |[width, height]| {
        width <= SMALL[0] && height < SMALL[1]
    });
    assert_all_in_reach(&mut window, "a new session", 5);
    ask(&mut window, REPLACE_PROMPT);
    window.wait_until("a card", |tree| tree.card().cloned());
    assert_all_in_reach(&mut window, "an approval", 8);
    let size = window.size();
    for button in [names::APPROVE, names::DENY, names::DETAILS] {
        let found = window.wait_for_role(Role::Button, button);
        assert!(is_inside(&found, size), "{found:?}");
    }
    window.press_until(Key::A, "the card's end", |tree| tree.card().is_none());
    window.wait_for_words("The replacement gave: readme.md.");
    assert!(place.file().contains("two batteries"));
    for (keys, page, least) in [
        (Key::Comma, "the settings", 20),
        (Key::Comma, "the chat", 5),
    ] {
        window.press(keys, Modifiers::COMMAND);
        assert_all_in_reach(&mut window, page, least);
    }
    let field = window.wait_until("the message field", composer);
    assert!(is_inside(&field, window.size()), "{field:?}");
    // That the screen was too small is nobody's wish.
    let kept = settings(&place.home);
    assert!(
        !kept.contains("width") && !kept.contains("extent"),
        "{kept}"
    );
}
