//! The window's size: kept for the next start, and on a screen that is smaller than it would like.

use std::fs;
use std::process::Command;
use std::time::Instant;

use eframe::egui::{Key, Modifiers};
use tempfile::TempDir;
use wisp_tests::{PATIENCE, Screen, Window, wisp};

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
        .expect("the window is there");
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
