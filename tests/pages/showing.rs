//! A page opens, shows, has a title and a history.

use std::time::{Duration, Instant};

use wisp::pages::{PageCommand, PageEvent, PageHost as _, PageId, PixelRect};

use crate::server::{Answer, Server};
use crate::stage::{PATIENCE, Stage};

fn pages() -> Server {
    Server::start(|asked| match asked.path.as_str() {
        "/" => Answer::page(
            "<!doctype html><title>First  page</title><body style='background:#0a0;margin:0'>\
             <h1>One</h1><a href='/second'>on</a>",
        ),
        "/second" => Answer::page("<title>Second</title><body style='background:#00c'><p>Two"),
        _ => Answer::nothing(),
    })
}

#[test]
fn a_page_is_shown_in_its_place() {
    let Some(mut stage) = Stage::set() else {
        return;
    };
    let server = pages();
    let start = Instant::now();
    let (page, version) = stage.show(&server.url("/"));
    println!("the first page took {:?}", start.elapsed());
    assert!(version > 0);
    let title = |event: &PageEvent| match event {
        PageEvent::Title { title, .. } if !title.is_empty() => Some(title.clone()),
        _ => None,
    };
    let told = stage.seen().iter().find_map(title);
    let told = told.unwrap_or_else(|| stage.wait("a title", title));
    assert_eq!(told, "First page");
    let picture = stage.picture(page).expect("no picture");
    assert_eq!((picture.width, picture.height), (600, 500));
    let corner = picture.rgba[picture.rgba.len() - 4..].to_vec();
    assert_eq!(corner, [0, 0xaa, 0, 0xff]);
    // On the screen it is where it should be, and the window around it is as it was.
    let deadline = Instant::now() + PATIENCE;
    let window = stage.window.to_string();
    loop {
        let seen = stage.screen.picture(&window, deadline);
        let at = |x: usize, y: usize| seen.get((y * 1000 + x) * 3..(y * 1000 + x) * 3 + 3);
        if at(890, 590) == Some(&[0, 0xaa, 0][..]) && at(290, 590) == Some(&[0x20, 0x40, 0x60][..])
        {
            break;
        }
        assert!(Instant::now() < deadline, "the page is not to be seen");
    }
    if let Some(file) = std::env::var_os("WISP_TEST_PICTURE") {
        let mut import = stage.on_screen("import");
        import.args(["-window", "root"]).arg(file);
        assert!(import.status().unwrap().success());
    }
    stage.host.send(PageCommand::Navigate {
        page,
        url: server.url("/second"),
    });
    stage.finished(page);
    stage.wait("a way back", |event| {
        matches!(event, PageEvent::History { back: true, .. }).then_some(())
    });
    stage.host.send(PageCommand::Back { page });
    stage.wait("a way forward", |event| {
        matches!(
            event,
            PageEvent::History {
                forward: true,
                back: false,
                ..
            }
        )
        .then_some(())
    });
}

#[test]
fn pages_that_are_opened_unseen_cover_nothing() {
    let Some(mut stage) = Stage::set() else {
        return;
    };
    let server = pages();
    let place = PixelRect {
        x: 0,
        y: 0,
        width: 800,
        height: 500,
    };
    for number in 0..8 {
        let storage = stage.storage("unseen");
        stage.host.send(PageCommand::Open {
            page: PageId(100 + number),
            url: server.url("/"),
            storage,
            place,
            visible: false,
            zoom: 1.0,
        });
    }
    let mut loaded = 0;
    while loaded < 8 {
        stage.wait("a page", |event| {
            matches!(event, PageEvent::Finished { .. }).then_some(())
        });
        loaded += 1;
    }
    stage.within(Duration::from_secs(1));
    let window = stage.window.to_string();
    let seen = stage.screen.picture(&window, Instant::now() + PATIENCE);
    assert!(!seen.is_empty());
    let covered = seen.chunks(3).filter(|pixel| **pixel != [0x20, 0x40, 0x60]);
    assert_eq!(covered.count(), 0, "pixels of the window are covered");
}
