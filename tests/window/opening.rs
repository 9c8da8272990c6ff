//! Opening, drawing in either theme and closing; and what is said where no window can be opened.

use std::time::{Duration, Instant};

use wisp_tests::{PATIENCE, Running, Screen, wisp};

/// How long a key may take to show what it did.
const AGAIN: Duration = Duration::from_secs(2);

/// The grounds of the two themes, as `assets/theme/tokens.json` has them.
fn ground(theme: &str) -> [u8; 3] {
    let tokens: serde_json::Value =
        serde_json::from_str(include_str!("../../assets/theme/tokens.json")).unwrap();
    let hex = tokens[theme]["window"]
        .as_str()
        .unwrap()
        .trim_start_matches('#');
    let number = u32::from_str_radix(hex, 16).unwrap();
    let [_, red, green, blue] = number.to_be_bytes();
    [red, green, blue]
}

#[test]
fn the_window_opens_draws_in_either_theme_and_closes() {
    let Some(screen) = Screen::or_skip(&["xdotool", "import"]) else {
        return;
    };
    for theme in ["dark", "light"] {
        let home = tempfile::tempdir().unwrap();
        // The first call may build the program: the clock starts after it.
        let mut command = wisp(home.path());
        let deadline = Instant::now() + PATIENCE;
        let mut running = Running::start(screen.show(&mut command));
        let window = screen.find_window("^Wisp$", deadline).unwrap_or_else(|| {
            panic!(
                "no window titled Wisp came up; the program said: {}",
                running.kill()
            )
        });
        let ground = ground(theme);
        let mut picture = Vec::new();
        let mut pressed = Instant::now();
        // Until the ground fills most of the window and something else is drawn on it.
        while !is_drawn(&picture, ground) {
            assert!(
                Instant::now() < deadline,
                "the window stayed without the {theme} ground; the program said: {}",
                running.kill()
            );
            picture = screen.picture(&window, deadline);
            // The first key may come before the window takes any.
            if theme == "light" && pressed.elapsed() > AGAIN && !is_drawn(&picture, ground) {
                screen.press("ctrl+shift+l", deadline);
                pressed = Instant::now();
            }
        }
        let status = loop {
            screen.press("alt+F4", deadline);
            if let Some(status) = running.wait(Duration::from_secs(2)) {
                break status;
            }
            assert!(
                Instant::now() < deadline,
                "the window stayed open; the program said: {}",
                running.kill()
            );
        };
        assert!(status.success(), "{status}");
    }
}

/// Whether most pixels are of the ground and some aren't.
fn is_drawn(picture: &[u8], ground: [u8; 3]) -> bool {
    let pixels = picture.len() / 3;
    let of_ground = picture
        .chunks_exact(3)
        .filter(|pixel| **pixel == ground)
        .count();
    pixels > 0 && of_ground * 2 > pixels && of_ground < pixels
}

#[test]
fn a_picture_without_the_ground_or_with_nothing_else_is_not_drawn() {
    let ground = [1, 2, 3];
    assert!(!is_drawn(&[], ground));
    assert!(!is_drawn(&[1, 2, 3, 1, 2, 3], ground));
    assert!(!is_drawn(&[9, 9, 9, 9, 9, 9, 1, 2, 3], ground));
    assert!(is_drawn(&[1, 2, 3, 1, 2, 3, 9, 9, 9], ground));
}

#[cfg(target_os = "linux")]
#[test]
fn without_a_display_the_program_says_what_to_do() {
    for display in [None, Some(":9876")] {
        let home = tempfile::tempdir().unwrap();
        let mut command = wisp(home.path());
        command
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("WAYLAND_SOCKET")
            .env_remove("DISPLAY");
        if let Some(display) = display {
            command.env("DISPLAY", display);
        }
        let mut running = Running::start(&mut command);
        let status = running.wait(PATIENCE).expect("it ends by itself");
        let said = running.kill();
        assert_eq!(status.code(), Some(1), "{said}");
        assert!(said.contains("wisp exec"), "{said}");
        assert!(!said.contains("panicked"), "{said}");
    }
}
