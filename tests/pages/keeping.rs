//! What pages keep: downloads after a yes, and storage of one session alone.

use std::path::PathBuf;

use wisp::pages::{Download, PageCommand, PageEvent, PageHost as _, PageId};

use crate::hostile::click;
use crate::server::{Answer, Server};
use crate::stage::{PLACE, Stage};

fn asked(stage: &mut Stage, page: PageId) -> Download {
    stage.wait("the question about a download", |event| match event {
        PageEvent::DownloadAsked { page: of, download } if *of == page => Some(download.clone()),
        _ => None,
    })
}

fn answer(stage: &mut Stage, page: PageId, download: u64, allow: bool) {
    stage.host.send(PageCommand::Download {
        page,
        download,
        allow,
    });
}

fn downloaded(stage: &mut Stage, number: u64) -> Result<PathBuf, String> {
    stage.wait("the end of a download", |event| match event {
        PageEvent::Downloaded {
            download, outcome, ..
        } if *download == number => Some(outcome.clone()),
        _ => None,
    })
}

#[test]
fn a_download_waits_for_a_yes_and_gets_a_safe_name() {
    let Some(mut stage) = Stage::without_manager() else {
        return;
    };
    let server = Server::start(|asked| match asked.path.as_str() {
        "/" => Answer::page("<title>here</title>here"),
        "/evil?token=1" => Answer::bytes("application/octet-stream", "<title>evil</title>words")
            .with(
                "Content-Disposition",
                "attachment; filename=\"../../x\"; filename*=UTF-8''..%2F..%2Fx",
            ),
        "/flood" => Answer::page(
            "<title>flood</title><script>for (let i = 0; i < 50; i++) { const a = document.createElement('a'); \
             a.href = '/zip?' + i; a.download = '.bashrc'; document.documentElement.append(a); a.click(); }</script>",
        ),
        _ => Answer::bytes("application/zip", "zip"),
    });
    let downloads = stage.storage("one").downloads;
    let outside = stage.home.path().join("x");
    let (page, version) = stage.show(&server.url("/"));
    for (allow, name) in [(false, ""), (true, "x"), (true, "x (2)")] {
        let url = server.url("/evil?token=1");
        stage.host.send(PageCommand::Navigate { page, url });
        let download = asked(&mut stage, page);
        assert_eq!(download.name, "x");
        assert_eq!(download.url, server.url("/evil"));
        assert_eq!(download.bytes, Some(24));
        assert!(!downloads.join("x (2)").exists());
        assert_eq!(
            downloads.exists(),
            name == "x (2)",
            "nothing before the yes"
        );
        answer(&mut stage, page, download.download, allow);
        if allow {
            let path = downloaded(&mut stage, download.download).unwrap();
            assert_eq!(path, downloads.join(name));
            let words = std::fs::read_to_string(path).unwrap();
            assert_eq!(
                words,
                "<title>evil</title>words"
                    .get(..31)
                    .unwrap_or("<title>evil</title>words")
            );
        }
    }
    assert!(!outside.exists());
    // The page is where it was.
    let place = server.url("/");
    let stays = stage.seen().iter().rev().find_map(|event| match event {
        PageEvent::Moved {
            url,
            loading,
            version,
            ..
        } => Some((url.clone(), *loading, *version)),
        _ => None,
    });
    let (url, loading, now) = stays.unwrap();
    assert_eq!((url, loading), (place, false));
    assert!(now > version);
    assert_eq!(stage.read(page, now).unwrap().text, "here");
    // A flood of them asks a few times and no more.
    let (page, _) = stage.show(&server.url("/flood"));
    let first = asked(&mut stage, page);
    assert_eq!(first.name, "bashrc.zip");
    let events = stage.within(std::time::Duration::from_secs(1));
    let asks = |event: &&PageEvent| matches!(event, PageEvent::DownloadAsked { .. });
    let more = events.iter().filter(asks).count();
    assert!(more <= 7, "{more}");
    stage.host.send(PageCommand::Close { page });
    stage.within(std::time::Duration::from_millis(300));
    let kept = std::fs::read_dir(&downloads).unwrap().count();
    assert_eq!(kept, 2);
}

#[test]
fn sessions_have_storage_of_their_own() {
    let Some(mut stage) = Stage::without_manager() else {
        return;
    };
    let server = Server::start(|asked| {
        let cookie = asked
            .headers
            .lines()
            .find(|line| line.starts_with("cookie:"));
        let cookie = cookie.unwrap_or("no cookie").to_owned();
        Answer::page(format!(
            "<title>x</title><body><p>{cookie}</p><p id=p></p><script>\
             p.textContent = localStorage.mine || 'no storage'; localStorage.mine = 'kept';</script>"
        ))
        .with("Set-Cookie", "a=b; Max-Age=10000")
    });
    let text = |stage: &mut Stage, session: &str| {
        let page = stage.open_in(session, &server.url("/"));
        let version = stage.finished(page);
        let text = stage.read(page, version).unwrap().text;
        stage.host.send(PageCommand::Close { page });
        text
    };
    assert_eq!(text(&mut stage, "one"), "no cookie\n\nno storage");
    assert_eq!(text(&mut stage, "one"), "cookie: a=b\n\nkept");
    assert_eq!(text(&mut stage, "two"), "no cookie\n\nno storage");
    assert_eq!(text(&mut stage, "two"), "cookie: a=b\n\nkept");
}

#[test]
fn words_are_found_and_counted() {
    let Some(mut stage) = Stage::without_manager() else {
        return;
    };
    let server = Server::start(|_| Answer::page("<title>x</title><p>One one ONE two"));
    let (page, _) = stage.show(&server.url("/"));
    for (words, matches) in [("one", 3), ("two", 1), ("three", 0)] {
        stage.host.send(PageCommand::Find {
            page,
            words: words.to_owned(),
            forward: true,
        });
        stage.wait(words, |event| match event {
            PageEvent::Found { matches: found, .. } if *found == matches => Some(()),
            _ => None,
        });
    }
    click(&stage, PLACE.x, PLACE.y, 1);
}
