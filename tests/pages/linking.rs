//! The program `wisp` has no web engine in it: that would cost its start more than all the rest.

use std::process::Command;
use std::time::Instant;

use tempfile::TempDir;
use wisp_tests::{Running, Screen, wisp};

use crate::stage::PATIENCE;

fn libraries(mut command: Command, screen: &Screen) -> String {
    let running = Running::start(screen.show(&mut command));
    let shown = screen.find_window("Wisp", Instant::now() + PATIENCE);
    assert!(shown.is_some(), "the window never came");
    std::fs::read_to_string(format!("/proc/{}/maps", running.id())).unwrap()
}

#[test]
fn the_window_links_no_web_engine_unless_it_is_wanted() {
    let Some(screen) = Screen::or_skip(&["xdotool"]) else {
        return;
    };
    let home = TempDir::new().unwrap();
    let mapped = libraries(wisp(home.path()), &screen);
    assert!(mapped.contains("libc.so"), "{mapped}");
    for library in ["libwebkit", "libgtk", "libjavascriptcore"] {
        assert!(!mapped.contains(library), "{library}");
    }
    let settings = "[window]\npages = \"in_process\"\n";
    std::fs::write(home.path().join("settings.toml"), settings).unwrap();
    let mapped = libraries(wisp(home.path()), &screen);
    assert!(
        mapped.contains("libwebkit2gtk-4.1"),
        "it was not handed over"
    );
}
