//! Pages that mean harm: they can't hang, falsify, flood or leave their tab.

use std::time::{Duration, Instant};

use wisp::pages::{FailureKind, PageCommand, PageEvent, PageHost as _, PageId, ReadFailure};

use crate::server::{Answer, Server, nobody};
use crate::stage::{PLACE, Stage};

/// A second in which a page may do its worst.
const WHILE: Duration = Duration::from_secs(1);
/// Events that one page may bring about in that time.
const MOST_EVENTS: usize = 40;

fn one(script: &str) -> Server {
    let html = format!("<title>one</title><body><p>words</p><script>{script}</script>");
    Server::start(move |asked| match asked.path.as_str() {
        "/" => Answer::page(html.clone()),
        "/good" => Answer::page("<title>good</title><body>good"),
        _ => Answer::nothing(),
    })
}

fn good_after(stage: &mut Stage, server: &Server, page: PageId) {
    let url = server.url("/good");
    stage.host.send(PageCommand::Navigate {
        page,
        url: url.clone(),
    });
    stage.wait("the good page", |event| match event {
        PageEvent::Moved { url: at, .. } if *at == url => Some(()),
        _ => None,
    });
    let version = stage.finished(page);
    assert_eq!(stage.read(page, version).unwrap().text, "good");
}

#[test]
fn a_script_that_never_ends_is_left_reloaded_and_closed() {
    let Some(mut stage) = Stage::without_manager() else {
        return;
    };
    let server = one(
        "addEventListener('load', () => setTimeout(() => { document.title = 'hangs'; \
                      setTimeout(() => { for (;;); }, 50) }, 50))",
    );
    let hangs = |event: &PageEvent| {
        matches!(event, PageEvent::Title { title, .. } if title == "hangs").then_some(())
    };
    let (page, version) = stage.show(&server.url("/"));
    stage.wait("the endless script", hangs);
    stage.within(Duration::from_millis(300));
    let start = Instant::now();
    assert_eq!(stage.read(page, version), Err(ReadFailure::Timeout));
    assert!(stage.unsaved(page), "nobody knows, so it may be");
    assert!(stage.picture(page).is_none());
    assert!(start.elapsed() < Duration::from_secs(15));
    stage.host.send(PageCommand::Reload { page });
    stage.wait("the endless script", hangs);
    stage.within(Duration::from_millis(300));
    good_after(&mut stage, &server, page);
    let (other, _) = stage.show(&server.url("/"));
    stage.wait("the endless script", hangs);
    stage.host.send(PageCommand::Close { page: other });
    // The first one goes on.
    let version = stage.read(page, 0).unwrap_err();
    assert_eq!(version, ReadFailure::Changed);
    good_after(&mut stage, &server, page);
}

#[test]
fn dialogs_are_answered_unseen() {
    let Some(mut stage) = Stage::without_manager() else {
        return;
    };
    let server = one("for (let i = 0; i < 200; i++) alert(i); \
                      document.title = 'all ' + confirm('sure?') + prompt('name?', 'x'); \
                      onbeforeunload = event => { event.preventDefault(); return 'stay'; }; \
                      print(); document.querySelector('p').textContent = document.title;");
    let (page, version) = stage.show(&server.url("/"));
    assert_eq!(stage.read(page, version).unwrap().text, "all falsenull");
    good_after(&mut stage, &server, page);
}

#[test]
fn floods_are_told_in_few_words() {
    let Some(mut stage) = Stage::without_manager() else {
        return;
    };
    let server = one(
        "let n = 0; setInterval(() => { for (let i = 0; i < 50; i++) { n++; \
                      document.title = 't' + n; try { history.pushState(n, '', '/p' + n) } catch {} \
                      location.hash = '#' + n; try { window.open('/good') } catch {} } }, 1)",
    );
    let page = stage.open(&server.url("/"));
    stage.wait("the flood", |event| match event {
        PageEvent::Title { title, .. } if title.starts_with('t') => Some(()),
        _ => None,
    });
    stage.within(Duration::from_millis(500));
    let events = stage.within(WHILE);
    assert!(events.len() <= MOST_EVENTS, "{}", events.len());
    assert!(
        !events
            .iter()
            .any(|event| matches!(event, PageEvent::WantsTab { .. }))
    );
    good_after(&mut stage, &server, page);
}

#[test]
fn a_page_neither_closes_itself_nor_opens_others() {
    let Some(mut stage) = Stage::without_manager() else {
        return;
    };
    let server = one(
        "window.close(); open('/good'); open('/good', '_blank', 'popup'); \
                      addEventListener('load', () => { window.close(); self.close(); \
                      document.body.insertAdjacentHTML('beforeend', '<a id=a target=_blank href=/good>x</a>'); \
                      document.getElementById('a').click(); document.title = 'done'; })",
    );
    let (page, _) = stage.show(&server.url("/"));
    stage.wait("the end of the script", |event| match event {
        PageEvent::Title { title, .. } if title == "done" => Some(()),
        _ => None,
    });
    let events = stage.within(WHILE);
    let wants = |event: &PageEvent| matches!(event, PageEvent::WantsTab { .. });
    assert!(!events.iter().chain(stage.seen()).any(wants));
    good_after(&mut stage, &server, page);
}

#[test]
fn a_link_for_a_tab_of_its_own_is_told_when_it_is_clicked() {
    let Some(mut stage) = Stage::without_manager() else {
        return;
    };
    let server = Server::start(|_| {
        Answer::page(
            "<body style='margin:0'><a target=_blank href='/good?x' \
             style='display:block;height:400px;background:#abc'>x</a>",
        )
    });
    let (page, _) = stage.show(&server.url("/"));
    click(&stage, PLACE.x + 100, PLACE.y + 100, 1);
    let wanted = stage.wait("the wish for a tab", |event| match event {
        PageEvent::WantsTab { page, url } => Some((*page, url.clone())),
        _ => None,
    });
    assert_eq!(wanted, (page, server.url("/good?x")));
    click(&stage, PLACE.x + 100, PLACE.y + 100, 2);
    stage.wait("the wish for a tab", |event| {
        matches!(event, PageEvent::WantsTab { .. }).then_some(())
    });
}

/// Clicks, as a person would, at a place of the window.
pub(crate) fn click(stage: &Stage, x: i32, y: i32, button: u8) {
    let mut xdotool = stage.on_screen("xdotool");
    xdotool.args(["mousemove", "--sync", "--window"]);
    xdotool.args([&stage.window.to_string(), &x.to_string(), &y.to_string()]);
    xdotool.args(["click", &button.to_string()]);
    assert!(xdotool.status().unwrap().success());
}

#[test]
fn only_the_web_is_gone_to() {
    let Some(mut stage) = Stage::without_manager() else {
        return;
    };
    let server = Server::start(|asked| match asked.path.as_str() {
        "/file" => Answer::to("file:///etc/passwd"),
        "/data" => Answer::to("data:text/html,<title>data</title>"),
        "/script" => Answer::page(
            "<title>script</title>ok<script>onload = () => { location = 'file:///etc/passwd' }</script>",
        ),
        "/scriptdata" => Answer::page(
            "<title>scriptdata</title>ok<script>onload = () => { location = 'data:text/html,<title>LIE</title>LIE' }</script>",
        ),
        "/blob" => Answer::page(
            "<title>blob</title><script>onload = () => { location = URL.createObjectURL(new Blob(\
             ['<title>LIE</title>LIE'], {type: 'text/html'})) }</script>ok",
        ),
        "/loop" => Answer::to("/loop"),
        "/" => Answer::page("<title>good</title>good"),
        _ => Answer::nothing(),
    });
    for address in [
        "file:///etc/passwd",
        "about:blank",
        "javascript:1",
        "data:text/html,x",
        "a.test",
        "",
        "ftp://127.0.0.1/",
    ] {
        let page = stage.open(address);
        assert_eq!(stage.failed(page).kind, FailureKind::Address, "{address}");
    }
    let (page, version) = stage.show(&server.url("/"));
    assert_eq!(stage.read(page, version).unwrap().text, "good");
    // WebKit itself refuses a redirect to data with an empty page, and one to a file by ending the page's process.
    for (path, kind) in [
        ("/data", FailureKind::Address),
        ("/file", FailureKind::Crashed),
    ] {
        let url = server.url(path);
        stage.host.send(PageCommand::Navigate { page, url });
        assert_eq!(stage.failed(page).kind, kind, "{path}");
        stage.within(Duration::from_millis(300));
        let url = server.url("/");
        stage.host.send(PageCommand::Navigate { page, url });
        let version = stage.finished(page);
        assert_eq!(stage.read(page, version).unwrap().text, "good", "{path}");
    }
    for path in ["/script", "/scriptdata", "/blob"] {
        let page = stage.open(&server.url(path));
        let titled = path.trim_start_matches('/');
        stage.wait("the page", |event| match event {
            PageEvent::Title { title, .. } if title == titled => Some(()),
            _ => None,
        });
        let later = stage.within(WHILE);
        let is_title = |event: &PageEvent| matches!(event, PageEvent::Title { .. });
        assert!(!later.iter().any(is_title), "{later:#?}");
        let events = stage.seen().iter().chain(&later);
        let version = events.filter_map(|event| match event {
            PageEvent::Moved {
                page: of, version, ..
            } if *of == page => Some(*version),
            _ => None,
        });
        let version = version.max().unwrap();
        assert_eq!(stage.read(page, version).unwrap().text, "ok", "{path}");
    }
    let page = stage.open(&server.url("/loop"));
    let failure = stage.failed(page);
    assert_eq!(failure.kind, FailureKind::Redirects, "{failure:?}");
}

#[test]
fn what_can_not_be_reached_says_why() {
    let Some(mut stage) = Stage::without_manager() else {
        return;
    };
    let untrusted = Server::start_untrusted();
    for (url, kind) in [
        (nobody(), FailureKind::Refused),
        ("http://no-such-name.invalid/".to_owned(), FailureKind::Name),
        (untrusted.url("/"), FailureKind::Certificate),
    ] {
        let page = stage.open(&url);
        let failure = stage.failed(page);
        assert_eq!(failure.kind, kind, "{url}: {failure:?}");
        assert_eq!(
            stage.read(page, 1).map(|read| read.text).ok(),
            None,
            "{url}"
        );
    }
    assert_eq!(untrusted.asked(), Vec::<String>::new());
}

#[test]
fn a_frame_that_covers_everything_is_not_the_page() {
    let Some(mut stage) = Stage::without_manager() else {
        return;
    };
    let server = Server::start(|asked| match asked.path.as_str() {
        "/" => Answer::page(
            "<title>outer</title><body>outer<iframe src=/inner style='position:fixed;inset:0;width:100%;\
             height:100%;border:0'></iframe>",
        ),
        _ => Answer::page(
            "<title>inner</title>inner<script>try { top.location = 'file:///etc/passwd' } catch {}\
             try { parent.document.title = 'taken' } catch {} alert(1); open('/x')</script>",
        ),
    });
    let (page, version) = stage.show(&server.url("/"));
    assert_eq!(stage.read(page, version).unwrap().text, "outer");
}

#[test]
fn a_page_gets_no_permission() {
    let Some(mut stage) = Stage::without_manager() else {
        return;
    };
    let server = one(
        "const said = []; const tell = word => { said.push(word); document.querySelector('p').textContent = \
         said.sort().join(' '); document.title = 'n' + said.length; }; \
         navigator.geolocation ? navigator.geolocation.getCurrentPosition(() => tell('POSITION'), () => tell('a')) : tell('a'); \
         typeof Notification === 'undefined' ? tell('b') : Notification.requestPermission().then(p => tell(p === 'granted' ? 'NOTIFY' : 'b')); \
         navigator.mediaDevices ? navigator.mediaDevices.getUserMedia({video: true, audio: true}).then(() => tell('CAMERA'), () => tell('c')) : tell('c'); \
         navigator.clipboard ? navigator.clipboard.readText().then(() => tell('CLIPBOARD'), () => tell('d')) : tell('d'); \
         tell(window.ipc || window.webkit?.messageHandlers?.ipc ? 'IPC' : 'e');",
    );
    let (page, version) = stage.show(&server.url("/"));
    let seen = |event: &PageEvent| {
        matches!(event, PageEvent::Title { title, .. } if title == "n5").then_some(())
    };
    if !stage.seen().iter().any(|event| seen(event).is_some()) {
        stage.wait("all answers", seen);
    }
    assert_eq!(stage.read(page, version).unwrap().text, "a b c d e");
}

#[test]
fn a_page_whose_process_ends_says_so_and_loads_again() {
    let Some(mut stage) = Stage::without_manager() else {
        return;
    };
    let server = one("");
    let (page, _) = stage.show(&server.url("/"));
    let host = stage.host.process().unwrap();
    let all = crate::dying::descendants(host);
    let is_web = |process: &u32| crate::dying::name(*process).starts_with("WebKitWebProces");
    for process in all.into_iter().filter(is_web) {
        crate::dying::kill(process);
    }
    assert_eq!(stage.failed(page).kind, FailureKind::Crashed);
    stage.host.send(PageCommand::Reload { page });
    stage.finished(page);
}
