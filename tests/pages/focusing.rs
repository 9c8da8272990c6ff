//! The keyboard goes to the page and back to the window around it, with and without a window manager.

use std::time::{Duration, Instant};

use wisp::pages::{Chord, PageCommand, PageEvent, PageHost as _, PageId};
use x11rb::connection::Connection as _;
use x11rb::protocol::Event;

use crate::hostile::click;
use crate::server::{Answer, Server};
use crate::stage::{PATIENCE, PLACE, Stage};

fn server() -> Server {
    Server::start(|_| {
        Answer::page(
            "<title>-</title><body style='margin:0'><input id=i style='width:500px;height:200px' \
             oninput='document.title = value'><p contenteditable style='height:100px;background:#ddd'></p>",
        )
    })
}

fn focus(stage: &mut Stage, page: PageId, held: bool) {
    stage.wait("the keyboard", |event| match event {
        PageEvent::Focus {
            page: of,
            held: is_held,
            ..
        } if (*of, *is_held) == (page, held) => Some(()),
        _ => None,
    });
}

fn title(stage: &mut Stage, expected: &str) {
    stage.wait("what was typed", |event| match event {
        PageEvent::Title { title, .. } if title == expected => Some(()),
        _ => None,
    });
}

fn deadline() -> Instant {
    Instant::now() + PATIENCE
}

/// Waits until the window around the page has got so many key presses.
fn keys_outside(stage: &Stage, count: usize) {
    let deadline = deadline();
    let mut seen = 0;
    while seen < count {
        match stage.x.poll_for_event().unwrap() {
            Some(Event::KeyPress(_)) => seen += 1,
            Some(_) => {}
            None => {
                assert!(Instant::now() < deadline, "{seen} keys of {count} came");
                std::thread::yield_now();
            }
        }
    }
}

fn to_and_fro(mut stage: Stage) {
    let server = server();
    let f6 = Chord {
        key: "F6".to_owned(),
        command: false,
        shift: false,
        alt: false,
    };
    let next = Chord {
        key: "Tab".to_owned(),
        command: true,
        shift: true,
        alt: false,
    };
    stage.host.send(PageCommand::Shortcuts {
        chords: vec![f6.clone(), next.clone()],
    });
    let (page, _) = stage.show(&server.url("/"));
    assert!(!stage.unsaved(page));
    // By a click, as a person would.
    click(&stage, PLACE.x + 100, PLACE.y + 100, 1);
    focus(&mut stage, page, true);
    stage.screen.type_text("ab", deadline());
    title(&mut stage, "ab");
    assert!(stage.unsaved(page));
    // The window's own keys don't reach the page.
    for (keys, chord) in [("F6", &f6), ("ctrl+shift+Tab", &next)] {
        stage.screen.press(keys, deadline());
        let pressed = stage.wait("the key", |event| match event {
            PageEvent::Pressed { page, chord } => Some((*page, chord.clone())),
            _ => None,
        });
        assert_eq!(pressed, (page, chord.clone()));
    }
    // Back to the window, with the pointer still over the page.
    stage.host.send(PageCommand::ReleaseFocus { turn: 1 });
    focus(&mut stage, page, false);
    while stage.x.poll_for_event().unwrap().is_some() {}
    stage.screen.type_text("xyz", deadline());
    keys_outside(&stage, 3);
    // By command, with the pointer outside.
    click(&stage, 50, 50, 1);
    stage.host.send(PageCommand::Focus { page, turn: 2 });
    focus(&mut stage, page, true);
    stage.screen.type_text("c", deadline());
    title(&mut stage, "abc");
    // A page that is hidden gives the keyboard back.
    stage.host.send(PageCommand::Show {
        page,
        visible: false,
    });
    focus(&mut stage, page, false);
    while stage.x.poll_for_event().unwrap().is_some() {}
    stage.screen.type_text("x", deadline());
    keys_outside(&stage, 1);
    stage.host.send(PageCommand::Show {
        page,
        visible: true,
    });
    stage.host.send(PageCommand::Focus { page, turn: 3 });
    focus(&mut stage, page, true);
    stage.screen.type_text("d", deadline());
    title(&mut stage, "abcd");
    // What is edited in place counts as well.
    stage.host.send(PageCommand::Reload { page });
    stage.finished(page);
    assert!(!stage.unsaved(page));
    click(&stage, PLACE.x + 100, PLACE.y + 260, 1);
    stage.screen.type_text("e", deadline());
    let end = deadline();
    while !stage.unsaved(page) {
        assert!(Instant::now() < end, "nothing was typed");
    }
    // A page that ends with the keyboard gives it back.
    stage.host.send(PageCommand::Close { page });
    stage.within(Duration::from_millis(200));
    while stage.x.poll_for_event().unwrap().is_some() {}
    stage.screen.type_text("x", deadline());
    keys_outside(&stage, 1);
}

#[test]
fn the_keyboard_goes_to_and_fro_under_a_window_manager() {
    if let Some(stage) = Stage::set() {
        to_and_fro(stage);
    }
}

#[test]
fn the_keyboard_goes_to_and_fro_without_a_window_manager() {
    if let Some(stage) = Stage::without_manager() {
        to_and_fro(stage);
    }
}
