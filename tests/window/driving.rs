//! What every other test here rests on: the window is seen and driven through the inspection port.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use wisp_tests::{Screen, Window, wisp};

#[test]
fn what_the_window_shows_is_read_and_pictured() {
    let Some(screen) = Screen::or_skip(&[]) else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let mut window = Window::open(&screen, &mut wisp(home.path()));
    window.wait_for("New session");
    for [width, height] in [[1024, 700], [1280, 800]] {
        window.resize(width, height);
        let picture = home.path().join("folder/picture.png");
        window.screenshot(&picture);
        assert_eq!(size_of(&std::fs::read(picture).unwrap()), [width, height]);
    }
    assert!(!window.kill().contains("panicked"));
}

#[test]
fn what_does_not_come_is_said_with_all_that_is_shown() {
    let Some(screen) = Screen::or_skip(&[]) else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let mut window = Window::open(&screen, &mut wisp(home.path()));
    window.patience = Duration::ZERO;
    let panic = catch_unwind(AssertUnwindSafe(|| window.click("Make coffee"))).unwrap_err();
    let words = panic.downcast_ref::<String>().unwrap();
    assert!(
        words.contains("\"Make coffee\", to be clicked, did not come"),
        "{words}"
    );
    assert!(words.contains("Button \"New session\" at "), "{words}");
}

/// Width and height of a PNG file, from its header.
fn size_of(png: &[u8]) -> [u32; 2] {
    assert!(png.starts_with(b"\x89PNG"));
    [16, 20].map(|at| u32::from_be_bytes(png[at..at + 4].try_into().unwrap()))
}
