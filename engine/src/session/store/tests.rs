//! The store as its users see it: what is shown is there, whatever happens to the program or the disk.

use std::path::Path;
use std::sync::Arc;

use proptest::prelude::*;
use tempfile::TempDir;
use tokio::sync::mpsc;

use crate::handle::Outbox;
use crate::protocol::{
    ApprovalId, ApprovalRequest, CallId, CallStatus, DecisionSource, Event, EventMsg, FailureKind,
    Mode, RunId, RunOutcome, SessionId, Update, Usage,
};
use crate::support::redact::Redactor;

use super::database::{EVENTS, PRIVATE};
use super::queries::Reader;
use super::{Store, StoreLocation, read_beside};

struct Opened {
    store: Store,
    updates: mpsc::Receiver<Update>,
}

fn open(home: &Path) -> Opened {
    let (outbox, updates) = Outbox::new(Arc::new(|| {}));
    let (store, _thread) = Store::open(
        &StoreLocation::Folder(home.to_owned()),
        outbox,
        Redactor::default(),
    )
    .unwrap();
    Opened { store, updates }
}

fn session() -> SessionId {
    SessionId::new("s1")
}

fn run() -> RunId {
    RunId::new("r1")
}

fn created() -> EventMsg {
    EventMsg::SessionCreated {
        folder: None,
        mode: Mode::Chat,
    }
}

fn started(text: &str) -> EventMsg {
    EventMsg::RunStarted {
        run: run(),
        text: text.to_owned(),
        max_steps: 8,
    }
}

fn delta(text: &str) -> EventMsg {
    EventMsg::TextDelta {
        run: run(),
        step: 1,
        text: text.to_owned(),
    }
}

fn said(text: &str) -> EventMsg {
    EventMsg::StepFinished {
        run: run(),
        step: 1,
        text: text.to_owned(),
        usage: Usage::default(),
        millis: 1,
    }
}

async fn keep(store: &Store, events: impl IntoIterator<Item = EventMsg>) {
    for msg in events {
        store.event(&session(), msg).await.unwrap();
    }
    store.settle(true).await.unwrap();
}

fn stored(home: &Path) -> Vec<Event> {
    read_beside(home, |reader| reader.session(&session()))
        .unwrap()
        .events
}

#[tokio::test]
async fn what_is_shown_is_stored_and_reads_back_the_same() {
    let home = TempDir::new().unwrap();
    let mut opened = open(home.path());
    keep(
        &opened.store,
        [created(), started("hi"), delta("a\u{0}b 字")],
    )
    .await;
    let mut shown = Vec::new();
    while let Ok(Update::Event(event)) = opened.updates.try_recv() {
        shown.push(event);
    }
    assert_eq!(shown.len(), 3);
    assert_eq!(stored(home.path()), shown);
}

#[tokio::test]
async fn pieces_are_read_only_of_answers_that_are_not_there_as_a_whole() {
    let home = TempDir::new().unwrap();
    let opened = open(home.path());
    let step = |step| EventMsg::StepStarted { run: run(), step };
    let ended = || EventMsg::RunFinished {
        run: run(),
        outcome: RunOutcome::Cancelled,
        side_effects: false,
        steps: 1,
        usage: Usage::default(),
        millis: 1,
    };
    keep(
        &opened.store,
        [
            created(),
            started("one"),
            step(1),
            delta("wh"),
            delta("ole"),
            said("whole"),
        ],
    )
    .await;
    keep(
        &opened.store,
        [step(2), delta("bro"), delta("ken"), ended()],
    )
    .await;
    keep(
        &opened.store,
        [
            started("two"),
            step(1),
            delta("a"),
            said("a"),
            step(2),
            delta("open"),
        ],
    )
    .await;
    // Another session's pieces lie among them.
    let other = SessionId::new("s2");
    for msg in [created(), started("x"), step(1), delta("theirs")] {
        opened.store.event(&other, msg).await.unwrap();
    }
    keep(&opened.store, [delta("ed")]).await;
    let pieces = |events: &[Event]| -> Vec<String> {
        events
            .iter()
            .filter_map(|event| match &event.msg {
                EventMsg::TextDelta { text, .. } => Some(text.clone()),
                _ => None,
            })
            .collect()
    };
    let events = stored(home.path());
    assert_eq!(pieces(&events), ["bro", "ken", "open", "ed"]);
    assert!(events.is_sorted_by_key(|event| event.id));
    assert_eq!(events.len(), 10 + 4, "all that is no piece is there");
    let of_run = read_beside(home.path(), |reader| {
        reader.events_of_run(&session(), &run())
    });
    let of_run = of_run.unwrap();
    assert_eq!(pieces(&of_run), ["open", "ed"]);
    assert!(matches!(&of_run[0].msg, EventMsg::RunStarted { text, .. } if text == "two"));
}

#[tokio::test]
async fn a_full_disk_is_said_once_keeps_what_was_and_can_be_got_over() {
    let home = TempDir::new().unwrap();
    let mut opened = open(home.path());
    keep(&opened.store, [created(), started("hi")]).await;
    opened.store.limit_pages(1).await;
    let big = "x".repeat(200_000);
    opened.store.event(&session(), delta(&big)).await.unwrap();
    let failure = opened.store.settle(false).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Store);
    assert!(failure.message.contains("full"), "{failure}");
    assert!(opened.store.event(&session(), delta("y")).await.is_err());
    opened.store.limit_pages(1_000_000).await;
    assert!(
        opened.store.event(&session(), delta("y")).await.is_err(),
        "a log with a hole"
    );
    keep(&opened.store.renewed(), [delta("z")]).await;
    assert!(
        opened.store.settle(false).await.is_err(),
        "the old epoch stays over"
    );
    let mut alarms = 0;
    while let Ok(update) = opened.updates.try_recv() {
        alarms += u32::from(matches!(update, Update::Alarm { .. }));
    }
    assert_eq!(alarms, 1);
    let texts: Vec<_> = stored(home.path())
        .into_iter()
        .filter_map(|event| match event.msg {
            EventMsg::TextDelta { text, .. } => Some(text),
            _ => None,
        })
        .collect();
    assert_eq!(texts, ["z"]);
}

#[tokio::test]
async fn an_open_run_is_closed_as_interrupted_in_each_phase() {
    let call = || CallId::new("c1");
    let call_started = || EventMsg::CallStarted {
        run: run(),
        step: 1,
        call: call(),
        tool: "files_write".to_owned(),
    };
    let asked = || EventMsg::ApprovalRequested {
        run: run(),
        step: 1,
        approval: ApprovalRequest {
            id: ApprovalId::new("a1"),
            call: call(),
            tool: "files_write".to_owned(),
            sentence: String::new(),
            target: String::new(),
            details: Vec::new(),
        },
    };
    for (phase, expected) in [
        (vec![], None),
        (vec![delta("half")], None),
        (vec![call_started()], Some(CallStatus::Unknown)),
        (vec![call_started(), asked()], Some(CallStatus::Cancelled)),
    ] {
        let home = TempDir::new().unwrap();
        let opened = open(home.path());
        keep(&opened.store, [created(), started("hi")]).await;
        keep(&opened.store, phase).await;
        let before = stored(home.path());
        drop(opened);
        // The lock of the first copy goes with its thread.
        let again = loop {
            let (outbox, updates) = Outbox::new(Arc::new(|| {}));
            match Store::open(
                &StoreLocation::Folder(home.path().to_owned()),
                outbox,
                Redactor::default(),
            ) {
                Ok((store, _)) => break Opened { store, updates },
                Err(failure) => assert_eq!(failure.kind, FailureKind::StoreLocked),
            }
        };
        let after = stored(home.path());
        assert_eq!(
            &after[..before.len()],
            &before[..],
            "nothing before it is changed"
        );
        let closing: Vec<_> = after[before.len()..]
            .iter()
            .map(|event| &event.msg)
            .collect();
        assert!(
            matches!(
                closing.last(),
                Some(EventMsg::RunFinished {
                    outcome: RunOutcome::Interrupted,
                    ..
                })
            ),
            "{closing:?}"
        );
        let status = closing.iter().find_map(|msg| match msg {
            EventMsg::CallFinished { report, .. } => Some(report.status),
            _ => None,
        });
        assert_eq!(status, expected);
        let question_closed = closing.iter().any(|msg| {
            matches!(
                msg,
                EventMsg::ApprovalResolved {
                    source: DecisionSource::RunEnded,
                    ..
                }
            )
        });
        assert_eq!(question_closed, expected == Some(CallStatus::Cancelled));
        drop(again);
    }
}

#[tokio::test]
async fn the_search_is_literal_and_knows_short_words_and_chinese() {
    let home = TempDir::new().unwrap();
    let opened = open(home.path());
    keep(
        &opened.store,
        [
            created(),
            started("Where is the \"quoted\" % invoice?"),
            said("在发票文件夹里。 In folder Invoices-2026."),
        ],
    )
    .await;
    let hits = |query: &str| {
        read_beside(home.path(), |reader| reader.search(query, 10))
            .unwrap()
            .len()
    };
    for (query, expected) in [
        ("invoice", 2),
        ("INVOICE?", 1),
        ("\"quoted\"", 1),
        ("%", 1),
        ("发票", 1),
        ("发票文件夹", 1),
        ("is", 1),
        ("absent words", 0),
        ("a* OR b", 0),
    ] {
        assert_eq!(hits(query), expected, "{query}");
    }
    let empty = read_beside(home.path(), |reader| reader.search("  ", 10));
    assert_eq!(empty.unwrap_err().kind, FailureKind::BadSubmission);
}

#[tokio::test]
async fn a_very_long_text_is_kept_whole_and_found_by_its_beginning() {
    let home = TempDir::new().unwrap();
    let opened = open(home.path());
    // The limit falls into the middle of a character.
    let long = format!("first{}last", "字".repeat(100_000));
    keep(&opened.store, [created(), started(&long)]).await;
    let hits = |query: &str| read_beside(home.path(), |reader| reader.search(query, 9)).unwrap();
    assert_eq!((hits("first").len(), hits("last").len()), (1, 0));
    let events = stored(home.path());
    assert!(matches!(&events[1].msg, EventMsg::RunStarted { text, .. } if *text == long));
}

#[tokio::test]
async fn a_deleted_session_is_gone_from_both_files() {
    let home = TempDir::new().unwrap();
    let opened = open(home.path());
    keep(&opened.store, [created(), started("secret words")]).await;
    opened
        .store
        .item(&session(), "\"private words\"".to_owned())
        .await
        .unwrap();
    opened.store.settle(true).await.unwrap();
    assert_eq!(opened.store.items(&session()).await.unwrap().len(), 1);
    opened.store.delete(&session()).await.unwrap();
    assert!(opened.store.items(&session()).await.unwrap().is_empty());
    let found =
        |reader: &Reader<'_>| Ok((reader.sessions()?.len(), reader.search("secret", 9)?.len()));
    assert_eq!(read_beside(home.path(), found).unwrap(), (0, 0));
}

#[tokio::test]
async fn an_id_is_found_by_its_beginning_or_its_end() {
    let home = TempDir::new().unwrap();
    let opened = open(home.path());
    for id in ["abc1", "abd2", "abc"] {
        opened
            .store
            .event(&SessionId::new(id), created())
            .await
            .unwrap();
    }
    opened.store.settle(false).await.unwrap();
    let resolve = |part: &str| {
        read_beside(home.path(), |reader| reader.resolve(part)).map(|id| id.to_string())
    };
    assert_eq!(resolve("abd").unwrap(), "abd2");
    assert_eq!(resolve("1").unwrap(), "abc1");
    assert_eq!(resolve("abc").unwrap(), "abc");
    assert!(resolve("ab").unwrap_err().message.contains("More than one"));
    assert!(resolve("").is_err());
    assert!(resolve("x").is_err());
}

#[tokio::test]
async fn one_unreadable_event_stops_neither_the_start_nor_the_other_sessions() {
    let home = TempDir::new().unwrap();
    {
        let opened = open(home.path());
        keep(&opened.store, [created(), started("hi"), delta("x")]).await;
        let other = SessionId::new("s2");
        opened.store.event(&other, created()).await.unwrap();
        opened.store.settle(true).await.unwrap();
    }
    let db = EVENTS.open(&home.path().join("wisp.db")).unwrap();
    db.execute("UPDATE events SET body = 'garbage' WHERE id = 3", [])
        .unwrap();
    drop(db);
    let again = loop {
        let (outbox, updates) = Outbox::new(Arc::new(|| {}));
        match Store::open(
            &StoreLocation::Folder(home.path().to_owned()),
            outbox,
            Redactor::default(),
        ) {
            Ok((store, _)) => break Opened { store, updates },
            Err(failure) => assert_eq!(failure.kind, FailureKind::StoreLocked, "{failure}"),
        }
    };
    let list = Reader::new(&EVENTS.open_to_read(&home.path().join("wisp.db")).unwrap())
        .sessions()
        .unwrap();
    assert_eq!(list.len(), 2);
    assert!(
        list.iter().all(|session| !session.running),
        "its run is closed all the same"
    );
    let failure = read_beside(home.path(), |reader| reader.session(&session())).unwrap_err();
    assert!(failure.message.contains("can't be understood"), "{failure}");
    assert!(read_beside(home.path(), |reader| reader.session(&SessionId::new("s2"))).is_ok());
    drop(again);
}

/// A data folder with events, and how long the log was when each event had been acknowledged.
struct Written {
    home: TempDir,
    events: Vec<Event>,
    log_after: Vec<usize>,
}

fn written() -> Written {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    runtime.block_on(async {
        let home = TempDir::new().unwrap();
        let opened = open(home.path());
        let log = home.path().join("wisp.db-wal");
        let mut log_after = Vec::new();
        let mut texts = vec![created(), started("hi")];
        texts.extend((0..14).map(|n| delta(&format!("piece {n} {}", "y".repeat(n * 37)))));
        for msg in texts {
            keep(&opened.store, [msg]).await;
            log_after.push(usize::try_from(log.metadata().unwrap().len()).unwrap());
        }
        let copy = TempDir::new().unwrap();
        for file in ["wisp.db", "wisp.db-wal"] {
            std::fs::copy(home.path().join(file), copy.path().join(file)).unwrap();
        }
        let events = stored(home.path());
        Written {
            home: copy,
            events,
            log_after,
        }
    })
}

/// Opens a copy whose log ends at this byte, and compares it with what had been acknowledged by then.
fn check_cut(written: &Written, cut: usize) {
    let acknowledged = written
        .log_after
        .iter()
        .filter(|length| **length <= cut)
        .count();
    let home = TempDir::new().unwrap();
    std::fs::copy(
        written.home.path().join("wisp.db"),
        home.path().join("wisp.db"),
    )
    .unwrap();
    let log = std::fs::read(written.home.path().join("wisp.db-wal")).unwrap();
    std::fs::write(home.path().join("wisp.db-wal"), &log[..cut.min(log.len())]).unwrap();
    let db = EVENTS.open(&home.path().join("wisp.db")).unwrap();
    let events = if acknowledged == 0 {
        Vec::new()
    } else {
        Reader::new(&db).session(&session()).unwrap().events
    };
    assert!(
        events.len() >= acknowledged,
        "cut at {cut}: {} of {acknowledged}",
        events.len()
    );
    assert_eq!(events[..], written.events[..events.len()], "cut at {cut}");
}

#[test]
fn a_log_cut_anywhere_keeps_all_that_was_acknowledged() {
    let written = written();
    for length in &written.log_after {
        for cut in [length - 1, *length, length + 1, length + 24, length + 4096] {
            check_cut(&written, cut);
        }
    }
    let whole = *written.log_after.last().unwrap();
    proptest!(ProptestConfig::with_cases(300), |(cut in 0..=whole)| {
        check_cut(&written, cut);
    });
}

#[test]
fn both_layouts_open_again() {
    let home = TempDir::new().unwrap();
    for (layout, file) in [(&EVENTS, "a.db"), (&PRIVATE, "b.db")] {
        for _ in 0..2 {
            layout.open(&home.path().join(file)).unwrap();
        }
        layout.open_to_read(&home.path().join(file)).unwrap();
    }
}
