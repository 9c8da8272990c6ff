//! Web tabs and the tools that see them, with a host that shows nothing.

use std::time::Duration;

use eframe::egui::{Key, Modifiers, Theme};
use wisp::pages::{Chord, Download, FailureKind, PageCommand, PageEvent, PageId};
use wisp::state::transcript::CallState;
use wisp_tests::names;

use crate::harness::{Home, Setup, View};
use crate::host::Pages;
use crate::pictures::picture;

/// The keys of a command.
const COMMAND: Modifiers = Modifiers::COMMAND;

/// A model that opens a page, lists, and then waits for the test before it reads.
const READS_LATER: &str = r#"
name = "reads-later"
title = "A read after a while"
tag = "[reads-later]"
prompt = "Read it later [reads-later]"

[[turns]]
calls = [{ name = "open_webpage", arguments = { url = "http://pages.test/one" } }]

[[turns]]
calls = [{ name = "list_preview_tabs", arguments = {} }]

[[turns]]
calls = [{ name = "read_webpage", arguments = { tabId = "{{result.0.tabs.0.tabId}}" } }]
hold = { before = "the read" }

[[turns]]
text = "It says: {{result.0.text|result.0.error.kind}}"

[expect]
outcome = "done"
calls = [
    { tool = "open_webpage", status = "done", when_denied = "denied" },
    { tool = "list_preview_tabs", status = "done" },
    { tool = "read_webpage", status = "done" },
]
answer = ["It says"]
requests = 4
"#;

/// A model that looks after what the person has open, when the test lets it.
const LOOKS_AFTER: &str = r#"
name = "looks-after"
title = "Looking after a file"
tag = "[looks-after]"
prompt = "Load it again [looks-after]"

[[turns]]
calls = [{ name = "list_preview_tabs", arguments = {} }]
hold = { before = "the list" }

[[turns]]
calls = [{ name = "preview_tab_action", arguments = { tabId = "{{result.0.tabs.0.tabId}}", action = "reload" } }]
hold = { before = "the reload" }

[[turns]]
text = "The tab is {{result.0.status|result.0.error.kind}}."

[expect]
outcome = "done"
calls = [{ tool = "list_preview_tabs", status = "done" }, { tool = "preview_tab_action", status = "done" }]
answer = ["The tab is"]
requests = 3
"#;

/// A model that opens a page and closes it.
const CLOSES: &str = r#"
name = "closes"
title = "Opening and closing"
tag = "[closes]"
prompt = "Close it [closes]"

[[turns]]
calls = [{ name = "open_webpage", arguments = { url = "http://pages.test/form" } }]

[[turns]]
calls = [{ name = "list_preview_tabs", arguments = {} }]

[[turns]]
calls = [{ name = "preview_tab_action", arguments = { tabId = "{{result.0.tabs.0.tabId}}", action = "close" } }]

[[turns]]
text = "The tab is {{result.0.status|result.0.error.kind}}."

[expect]
outcome = "done"
calls = [
    { tool = "open_webpage", status = "done", when_denied = "denied" },
    { tool = "list_preview_tabs", status = "done" },
    { tool = "preview_tab_action", status = "done" },
]
answer = ["The tab is"]
requests = 4
"#;

/// What the only call of a step gave, in the last run. Steps are counted from 0.
fn result(view: &View, step: usize) -> Option<serde_json::Value> {
    let state = view.state();
    let run = state.open_session()?.transcript.runs.last()?;
    match &run.steps.get(step)?.calls.first()?.state {
        CallState::Ended(report) => report.result.clone(),
        _ => None,
    }
}

fn open(home: &Home) -> (View, Pages) {
    let pages = Pages::default();
    let setup = Setup {
        pages: Some(pages.clone()),
        ..Setup::default()
    };
    (home.open_with(setup), pages)
}

/// Starts a run whose first call asks to open a page, and says yes.
fn open_page(view: &mut View, prompt: &str) {
    view.ask(prompt);
    view.wait_for_card();
    view.key(Key::A);
}

/// A page that the person opens.
fn open_by_hand(view: &mut View, url: &str) {
    view.press(Key::T, COMMAND);
    view.type_text(url);
    view.key(Key::Enter);
}

#[test]
fn a_page_opens_after_the_yes_and_not_after_the_no() {
    let (home, prompt) = Home::for_scenario("demo-openweb");
    let (mut view, pages) = open(&home);
    view.ask(&prompt);
    view.wait_for_card();
    assert!(view.says("/pages/lantern"), "{}", view.shown());
    view.key(Key::R);
    view.wait_for_words("The window says: denied.");
    view.wait_for_the_end();
    assert!(pages.told().is_empty(), "{:?}", pages.told());
    open_page(&mut view, &prompt);
    view.wait_for_words("The window says: open_request_accepted.");
    view.wait_for_the_end();
    let url = format!("{}/pages/lantern", server(&home));
    let page = pages.at(&url).unwrap();
    assert!(pages.is_visible(page), "{}", view.shown());
    assert!(view.says("Page lantern"), "{}", view.shown());
}

/// The scripted model's address without a path.
fn server(home: &Home) -> String {
    home.simulator.base_url().trim_end_matches("/v1").to_owned()
}

#[test]
fn a_page_that_is_not_in_front_is_read_and_marked() {
    let (home, prompt) = Home::for_scenario("demo-readpage");
    let (mut view, pages) = open(&home);
    open_page(&mut view, &prompt);
    view.until("the second card", |view| {
        view.card()
            .is_some_and(|card| card.name.contains("/pages/notes"))
    });
    view.pass(0.5);
    view.key(Key::A);
    view.wait_for_words("marked untrusted_webpage");
    view.wait_for_the_end();
    let read = pages.told().into_iter().find_map(|command| match command {
        PageCommand::Read { page, .. } => Some(page),
        _ => None,
    });
    let lantern = pages.at(&format!("{}/pages/lantern", server(&home)));
    assert_eq!(read, lantern);
    assert!(
        !pages.is_visible(lantern.unwrap()),
        "the other one is in front"
    );
}

#[test]
fn a_page_that_went_elsewhere_after_the_list_is_not_read() {
    let home = Home::with(&[READS_LATER]);
    let (mut view, pages) = open(&home);
    open_page(&mut view, "Read it later [reads-later]");
    view.until("the read", |_| {
        home.simulator.wait_for("the read", Duration::ZERO)
    });
    let page = pages.at("http://pages.test/one").unwrap();
    pages.wander(page, "http://pages.test/two");
    view.rest();
    home.simulator.release("the read");
    view.wait_for_words("It says: conflict");
    let read = |command: &PageCommand| matches!(command, PageCommand::Read { .. });
    assert!(!pages.told().iter().any(read));
}

#[test]
fn a_page_of_a_session_that_was_left_is_not_read() {
    let home = Home::with(&[READS_LATER]);
    let (mut view, pages) = open(&home);
    open_page(&mut view, "Read it later [reads-later]");
    view.until("the read", |_| {
        home.simulator.wait_for("the read", Duration::ZERO)
    });
    let page = pages.at("http://pages.test/one").unwrap();
    view.press(Key::N, COMMAND);
    assert!(!pages.is_visible(page), "another session shows none of it");
    view.press(Key::PageDown, COMMAND);
    assert!(pages.is_visible(page));
    home.simulator.release("the read");
    view.wait_for_words("It says: conflict");
}

#[test]
fn what_was_typed_into_a_page_is_kept_unless_the_person_says_otherwise() {
    let home = Home::with(&[CLOSES]);
    let (mut view, pages) = open(&home);
    pages.type_into_fields();
    open_page(&mut view, "Close it [closes]");
    view.wait_for_words("Close this page?");
    view.until("the keyboard", |view| {
        view.focused().is_some_and(|seen| seen.name == "Keep")
    });
    // Keep is what Enter does.
    view.key(Key::Enter);
    view.wait_for_words("The tab is cancelled.");
    view.wait_for_the_end();
    let page = pages.at("http://pages.test/form").unwrap();
    assert!(pages.is_visible(page), "{}", view.shown());
    // By the person's own wish.
    view.press(Key::W, COMMAND);
    view.wait_for_words("Close this page?");
    view.click(names::LEAVE_PAGE);
    assert_eq!(pages.alive(), []);
}

#[test]
fn the_pages_of_two_sessions_share_nothing() {
    let home = Home::new();
    let (mut view, pages) = open(&home);
    view.say("first");
    open_by_hand(&mut view, "http://pages.test/a");
    view.press(Key::M, COMMAND);
    view.press(Key::N, COMMAND);
    view.say("second");
    open_by_hand(&mut view, "http://pages.test/a");
    let storages: Vec<_> = (pages.told().into_iter())
        .filter_map(|command| match command {
            PageCommand::Open { storage, .. } => Some(storage),
            _ => None,
        })
        .collect();
    assert_eq!(storages.len(), 2, "{}", view.shown());
    assert_ne!(storages[0].data, storages[1].data);
    assert_ne!(storages[0].downloads, storages[1].downloads);
    let [first, second] = pages.alive()[..] else {
        panic!("two pages: {:?}", pages.alive());
    };
    assert!(!pages.is_visible(first) && pages.is_visible(second));
    // A page asks for a tab: it opens in its own session only.
    pages.tell(PageEvent::WantsTab {
        page: first,
        url: "http://pages.test/b".to_owned(),
    });
    view.rest();
    let third = pages.at("http://pages.test/b").unwrap();
    assert!(!pages.is_visible(third));
}

#[test]
fn what_lies_over_a_page_is_seen() {
    let home = Home::new();
    let (mut view, pages) = open(&home);
    view.say("hello");
    open_by_hand(&mut view, "http://pages.test/a");
    let page = pages.at("http://pages.test/a").unwrap();
    assert!(pages.is_visible(page));
    view.press(Key::K, COMMAND);
    view.until("the page's retreat", |_| !pages.is_visible(page));
    let picture = |command: &PageCommand| matches!(command, PageCommand::Picture { .. });
    assert_eq!(pages.told().iter().filter(|told| picture(told)).count(), 1);
    view.key(Key::Escape);
    view.until("the page", |_| pages.is_visible(page));
    // A page that gives no picture is hidden all the same.
    pages.fall_silent();
    view.press(Key::K, COMMAND);
    view.pass(0.5);
    assert!(!pages.is_visible(page));
}

#[test]
fn when_the_host_dies_the_window_says_so_and_loads_again() {
    let home = Home::new();
    let (mut view, pages) = open(&home);
    view.say("hello");
    open_by_hand(&mut view, "http://pages.test/a");
    pages.die();
    view.wait_for_words("The page broke down");
    assert!(view.says("as the test says"));
    view.click("Load again");
    let page = pages.at("http://pages.test/a").unwrap();
    view.until("the page", |_| pages.is_visible(page));
    assert!(!view.says("The page broke down"));
    view.press(Key::M, COMMAND);
    view.say("and the window works");
}

#[test]
fn every_failure_has_a_page_of_its_own() {
    let home = Home::new();
    let (mut view, pages) = open(&home);
    view.say("hello");
    open_by_hand(&mut view, "http://pages.test/a");
    let page = pages.at("http://pages.test/a").unwrap();
    for (kind, title) in [
        (FailureKind::Name, "There is no such site"),
        (FailureKind::Refused, "Nobody answers there"),
        (FailureKind::Timeout, "It took too long"),
        (FailureKind::Certificate, "This connection is not safe"),
        (FailureKind::Redirects, "The site sends in circles"),
        (FailureKind::Crashed, "The page broke down"),
        (FailureKind::Host, "Pages can't be shown here"),
        (FailureKind::Other, "The page could not be loaded"),
        (
            FailureKind::Address,
            "This is no page that can be shown here",
        ),
    ] {
        pages.fail(page, kind);
        view.wait_for_words(title);
        assert!(!pages.is_visible(page), "{title}");
        let goes_on = kind == FailureKind::Address;
        view.click(if goes_on {
            "Back to the page"
        } else {
            "Load again"
        });
        view.until("the page", |_| pages.is_visible(page));
    }
}

#[test]
fn the_address_field_goes_where_it_says_or_stays() {
    let home = Home::new();
    let (mut view, pages) = open(&home);
    view.say("hello");
    open_by_hand(&mut view, "http://pages.test/a");
    view.press(Key::L, COMMAND);
    view.type_text("localhost:5173/b");
    view.key(Key::Enter);
    assert!(pages.at("http://localhost:5173/b").is_some());
    view.press(Key::L, COMMAND);
    view.type_text("javascript:alert(1)");
    view.key(Key::Enter);
    assert!(view.says("javascript:alert(1)"), "what was typed stays");
    assert!(pages.at("http://localhost:5173/b").is_some());
    view.click("Back");
    assert!(pages.at("http://pages.test/a").is_some());
    view.click("Forward");
    assert!(pages.at("http://localhost:5173/b").is_some());
}

#[test]
fn keys_that_are_pressed_in_a_page_are_the_windows_own() {
    let home = Home::new();
    let (mut view, pages) = open(&home);
    view.say("hello");
    open_by_hand(&mut view, "http://pages.test/a");
    let page = pages.at("http://pages.test/a").unwrap();
    let keys = pages.told().into_iter().find_map(|command| match command {
        PageCommand::Shortcuts { chords } => Some(chords),
        _ => None,
    });
    let chord = Chord {
        key: "F6".to_owned(),
        command: false,
        shift: false,
        alt: false,
    };
    assert!(keys.unwrap().contains(&chord));
    pages.focus(page, true);
    view.rest();
    assert!(view.focused().is_none(), "{:?}", view.focused());
    pages.tell(PageEvent::Pressed { page, chord });
    view.rest();
    assert!(
        view.focused().is_some(),
        "the keyboard is back in the window"
    );
    assert_eq!(given(&pages, None), 1, "released");
    // From a dialog the keyboard goes back to the page.
    pages.focus(page, true);
    view.rest();
    view.press(Key::K, COMMAND);
    view.until("the palette", View::dialog);
    let before = given(&pages, Some(page));
    view.key(Key::Escape);
    view.until("the keyboard in the page", |_| {
        given(&pages, Some(page)) > before
    });
}

/// How often a page was given the keyboard, or the window.
fn given(pages: &Pages, page: Option<PageId>) -> usize {
    let told = pages.told();
    let given = told.iter().filter_map(|command| match command {
        PageCommand::Focus { page, .. } => Some(Some(*page)),
        PageCommand::ReleaseFocus { .. } => Some(None),
        _ => None,
    });
    given.filter(|to| *to == page).count()
}

#[test]
fn what_the_host_says_late_of_the_keyboard_is_passed_over() {
    let home = Home::new();
    let (mut view, pages) = open(&home);
    view.say("hello");
    open_by_hand(&mut view, "http://pages.test/a");
    let page = pages.at("http://pages.test/a").unwrap();
    view.press(Key::M, COMMAND);
    view.rest();
    let before = given(&pages, Some(page));
    view.key(Key::F6);
    view.rest();
    assert_eq!(given(&pages, Some(page)), before + 1);
    let turn = pages.turn();
    assert!(view.focused().is_none(), "{:?}", view.focused());
    // Away again before the host has told anything.
    view.press(Key::M, COMMAND);
    view.rest();
    assert!(pages.turn() > turn, "it was released");
    let held = true;
    pages.tell(PageEvent::Focus { page, held, turn });
    view.rest();
    view.type_text("mine");
    assert!(view.says("mine"));
    // What the host says after that holds: the page was clicked.
    pages.focus(page, true);
    view.rest();
    assert!(view.focused().is_none(), "{:?}", view.focused());
    pages.focus(page, false);
    view.press(Key::M, COMMAND);
    view.rest();
    assert!(view.focused().is_some());
}

#[test]
fn a_download_is_a_question_and_only_one_at_a_time() {
    let home = Home::new();
    let (mut view, pages) = open(&home);
    view.say("hello");
    open_by_hand(&mut view, "http://pages.test/a");
    let page = pages.at("http://pages.test/a").unwrap();
    let asked = |download| PageEvent::DownloadAsked {
        page,
        download: Download {
            download,
            name: "report.pdf".to_owned(),
            url: "http://pages.test/report.pdf".to_owned(),
            bytes: Some(1_234_567),
        },
    };
    let answered = |pages: &Pages, wanted: u64| {
        pages.told().into_iter().find_map(|command| match command {
            PageCommand::Download {
                download, allow, ..
            } if download == wanted => Some(allow),
            _ => None,
        })
    };
    pages.tell(asked(1));
    pages.tell(asked(2));
    view.wait_for_words("Keep this download?");
    assert!(view.says("report.pdf"));
    assert_eq!(answered(&pages, 2), Some(false));
    assert_eq!(answered(&pages, 1), None);
    view.key(Key::Escape);
    assert_eq!(answered(&pages, 1), Some(false));
    pages.tell(asked(3));
    view.wait_for_words("Keep this download?");
    view.click(names::KEEP_DOWNLOAD);
    assert_eq!(answered(&pages, 3), Some(true));
    pages.tell(PageEvent::Downloaded {
        page,
        download: 3,
        outcome: Ok("/tmp/report.pdf".into()),
    });
    view.wait_for_words("Downloaded: /tmp/report.pdf");
}

#[test]
fn a_search_in_a_page_counts_and_ends() {
    let home = Home::new();
    let (mut view, pages) = open(&home);
    view.say("hello");
    open_by_hand(&mut view, "http://pages.test/a");
    view.click("More about this page");
    view.click("Find in the page");
    view.type_text("lamp");
    view.wait_for_words("2 found");
    view.key(Key::Escape);
    view.key(Key::Escape);
    assert!(!view.says("2 found"), "{}", view.shown());
    let ended = |command: &PageCommand| matches!(command, PageCommand::Find { words, .. } if words.is_empty());
    assert!(pages.told().iter().any(ended));
}

#[test]
fn a_page_that_never_stops_loading_is_listed_and_not_read() {
    let home = Home::with(&[READS_LATER]);
    let (mut view, pages) = open(&home);
    pages.load_slowly();
    open_page(&mut view, "Read it later [reads-later]");
    // The list waits a while for it, on the window's own clock.
    view.wait_for_words("list_preview_tabs");
    view.pass(4.0);
    view.until("the read", |_| {
        home.simulator.wait_for("the read", Duration::ZERO)
    });
    home.simulator.release("the read");
    view.wait_for_words("read_webpage");
    view.pass(16.0);
    view.wait_for_words("It says: failed");
    let read = |command: &PageCommand| matches!(command, PageCommand::Read { .. });
    assert!(!pages.told().iter().any(read));
}

/// A picture of each state of a web tab, in both languages and themes.
#[test]
fn web_tabs_are_pictured() {
    for (theme, chinese) in [(Theme::Dark, false), (Theme::Light, true)] {
        let home = Home::with(&[CLOSES]);
        let pages = Pages::default();
        let mut view = home.open_with(Setup {
            pages: Some(pages.clone()),
            theme,
            ..Setup::default()
        });
        if theme == Theme::Light {
            view.press(Key::L, COMMAND | Modifiers::SHIFT);
        }
        if chinese {
            view.press(Key::K, COMMAND);
            view.type_text("English");
            view.key(Key::Enter);
        }
        let tag = match (theme, chinese) {
            (Theme::Dark, _) => "dark-en",
            (Theme::Light, _) => "light-zh",
        };
        let name = |what: &str| format!("web-{what}-{tag}");
        view.ask("Close it [closes]");
        view.wait_for_card();
        picture(&mut view, &name("card"));
        pages.type_into_fields();
        view.key(Key::A);
        view.until("the question", |view| {
            view.state().current.is_some() && view.dialog()
        });
        view.pass(0.4);
        picture(&mut view, &name("leave"));
        view.key(Key::Enter);
        view.wait_for_the_end();
        let page = pages.alive()[0];
        picture(&mut view, &name("page"));
        pages.tell(PageEvent::DownloadAsked {
            page,
            download: Download {
                download: 1,
                name: "report.pdf".to_owned(),
                url: "http://pages.test/files/report.pdf".to_owned(),
                bytes: Some(1_234_567),
            },
        });
        view.until("the question", View::dialog);
        view.pass(0.4);
        picture(&mut view, &name("download"));
        view.key(Key::Escape);
        pages.load_slowly();
        pages.wander(
            page,
            "https://a-rather-long-name.pages.test/with/a/long/path?and=query#and-fragment",
        );
        pages.tell(PageEvent::Progress { page, share: 0.4 });
        view.rest();
        picture(&mut view, &name("loading"));
        for (kind, what) in [
            (FailureKind::Certificate, "certificate"),
            (FailureKind::Crashed, "crashed"),
            (FailureKind::Address, "address"),
        ] {
            pages.fail(page, kind);
            view.rest();
            picture(&mut view, &name(what));
        }
    }
}

#[test]
fn what_is_typed_when_a_question_comes_sends_nothing() {
    let home = Home::new();
    let (mut view, pages) = open(&home);
    view.say("hello");
    open_by_hand(&mut view, "http://pages.test/a");
    let page = pages.at("http://pages.test/a").unwrap();
    view.press(Key::M, COMMAND);
    view.type_text("half a message");
    pages.tell(PageEvent::DownloadAsked {
        page,
        download: Download {
            download: 1,
            name: "a.bin".to_owned(),
            url: "http://pages.test/a.bin".to_owned(),
            bytes: None,
        },
    });
    view.until("the question", View::dialog);
    view.key(Key::Enter);
    view.key(Key::A);
    assert!(view.dialog(), "{}", view.shown());
    assert_eq!(view.message(), "half a message");
    assert_eq!(home.simulator.log().requests.len(), 1);
}

#[test]
fn a_file_is_read_again_for_a_tool_which_is_told_nothing_of_it_and_left_alone_while_it_is_edited() {
    for edited in [false, true] {
        let home = Home::with(&[LOOKS_AFTER]);
        std::fs::write(home.folder().join("plan.txt"), "the old plan").unwrap();
        let (mut view, _pages) = open(&home);
        view.ask("Load it again [looks-after]");
        view.until("the list", |_| {
            home.simulator.wait_for("the list", Duration::ZERO)
        });
        view.press(Key::T, COMMAND);
        view.type_text("plan.txt");
        view.key(Key::Enter);
        view.wait_for_words("the old plan");
        if edited {
            view.press(Key::E, COMMAND);
            view.type_text("mine: ");
        }
        home.simulator.release("the list");
        view.until("the reload", |_| {
            home.simulator.wait_for("the reload", Duration::ZERO)
        });
        std::fs::write(home.folder().join("plan.txt"), "the new plan").unwrap();
        home.simulator.release("the reload");
        if edited {
            view.wait_for_words("The tab is conflict.");
            assert!(view.says("mine: the old plan"), "{}", view.shown());
        } else {
            view.wait_for_words("The tab is reloaded.");
            view.wait_for_words("the new plan");
        }
        // The model was told that and no more.
        if !edited {
            let told = serde_json::json!({"status": "reloaded"});
            assert_eq!(result(&view, 1), Some(told));
        }
    }
}

#[test]
fn a_tool_is_told_why_a_page_did_not_load() {
    let home = Home::with(&[READS_LATER]);
    let (mut view, pages) = open(&home);
    pages.load_slowly();
    open_page(&mut view, "Read it later [reads-later]");
    view.until("the page", |_| pages.at("http://pages.test/one").is_some());
    let page = pages.at("http://pages.test/one").unwrap();
    pages.fail(page, FailureKind::Certificate);
    view.until("the read", |_| {
        home.simulator.wait_for("the read", Duration::ZERO)
    });
    home.simulator.release("the read");
    view.wait_for_words("It says: unsupported");
    let listed = result(&view, 1).unwrap();
    assert_eq!(listed["tabs"][0]["failure"], "certificate", "{listed}");
}

#[test]
fn an_address_that_is_typed_without_a_session_makes_one_and_goes_to_no_model() {
    let home = Home::new();
    let (mut view, pages) = open(&home);
    assert!(view.state().current.is_none());
    view.press(Key::T, COMMAND);
    view.until("a session", |view| view.state().current.is_some());
    view.rest();
    view.type_text("http://pages.test/private");
    view.key(Key::Enter);
    view.until("the page", |_| {
        pages.at("http://pages.test/private").is_some()
    });
    assert_eq!(view.message(), "");
    assert!(home.simulator.log().requests.is_empty());
}
