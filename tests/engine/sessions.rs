//! Many sessions: side by side, switched in mid-run, renamed, searched, deleted, carried over a restart.

use std::collections::BTreeMap;

use wisp_engine::protocol::{
    Answer, EventMsg, FailureKind, Op, RunOptions, RunOutcome, SessionId, Update,
};
use wisp_qa::{Scenario, builtin};
use wisp_tests::{DEADLINE, Desk, Say, outcome};

fn held() -> Scenario {
    Scenario::parse(
        r#"
name = "held"
title = "Stops in its middle"
tag = "[held]"
prompt = "Wait [held]"

[[turns]]
text = "The scripted model says this in two halves, and stops between them."
stream = { chunk = "words" }
hold = { mid = "here" }

[expect]
outcome = "done"
answer = ["."]
requests = 1
"#,
    )
    .unwrap()
}

#[test]
fn another_session_works_while_one_is_in_the_middle_of_its_run() {
    let mut scenarios = builtin();
    scenarios.push(held());
    let mut desk = Desk::with(scenarios, |_| {});
    let (one, two) = (desk.session(), desk.session());
    desk.start(&one, "Wait [held]", None);
    assert!(desk.simulator.wait_for("here", DEADLINE));
    let busy = desk.refused(Op::StartRun {
        session: one.clone(),
        text: "more".to_owned(),
        options: RunOptions::default(),
    });
    assert_eq!(busy.kind, FailureKind::Busy);
    desk.submit(Op::StartRun {
        session: two.clone(),
        text: "hello".to_owned(),
        options: RunOptions::default(),
    });
    let events = desk.until(|msg| matches!(msg, EventMsg::RunFinished { .. }));
    assert!(events.iter().all(|event| event.session == two || !matches!(event.msg, EventMsg::RunFinished { .. })));
    desk.simulator.release("here");
    let events = desk.until(|msg| matches!(msg, EventMsg::RunFinished { .. }));
    assert_eq!(events.last().map(|event| event.session.clone()), Some(one));
    desk.assert_requests_were_right();
}

#[test]
fn twenty_sessions_at_once_write_their_files_and_mix_nothing_up() {
    let text = r#"
name = "own"
title = "Makes a folder"
tag = "[own:N]"
prompt = "Make it [own:1]"
workspace = ""

[[turns]]
repeat = "N"
calls = [{ name = "files_mkdir", arguments = { path = "d{{round}}" } }]

[[turns]]
text = "Made."

[expect]
outcome = "done"
answer = ["."]
calls = [{ tool = "files_mkdir", status = "done" }]
requests = 2
"#;
    let mut desk = Desk::with(vec![Scenario::parse(text).unwrap()], |_| {});
    let mut folders = BTreeMap::new();
    for number in 0..20 {
        let folder = desk.folder.path().join(format!("s{number}"));
        std::fs::create_dir(&folder).unwrap();
        let created = desk.ask(Op::CreateSession {
            folder: Some(folder.clone()),
            mode: wisp_engine::protocol::Mode::Chat,
        });
        let Answer::SessionReady { session, .. } = created else {
            panic!("{created:?}")
        };
        folders.insert(session.id, folder);
    }
    for (number, session) in folders.keys().enumerate() {
        desk.submit(Op::StartRun {
            session: session.clone(),
            text: format!("Make it, number {number} [own:3]"),
            options: RunOptions::default(),
        });
    }
    let mut ended = 0;
    while ended < folders.len() {
        let Update::Event(event) = desk.update() else {
            continue;
        };
        match event.msg {
            EventMsg::ApprovalRequested { approval, .. } => {
                assert!(
                    approval
                        .target
                        .starts_with(folders[&event.session].to_str().unwrap())
                );
                desk.submit(Op::Decide {
                    session: event.session,
                    approval: approval.id,
                    decision: Say::Approve.decision(),
                });
            }
            EventMsg::RunFinished { outcome, .. } => {
                assert_eq!(outcome, RunOutcome::Done);
                ended += 1;
            }
            _ => {}
        }
    }
    for folder in folders.values() {
        assert_eq!(std::fs::read_dir(folder).unwrap().count(), 3);
    }
    desk.assert_requests_were_right();
}

#[test]
fn a_session_goes_on_after_a_restart_with_all_it_knew() {
    let mut desk = Desk::default();
    let session = desk.session();
    let scenario = builtin()
        .into_iter()
        .find(|one| one.name == "demo-multi")
        .unwrap();
    desk.lay(&scenario);
    desk.run(&session, &scenario.prompt, Say::Approve);
    let before = desk.stored(&session);
    desk.restart();
    assert_eq!(desk.stored(&session), before);
    let events = desk.run(&session, &scenario.prompt, Say::Approve);
    assert_eq!(outcome(&events), RunOutcome::Done);
    // The scripted model refuses a request whose beginning isn't, byte for byte, the last one's.
    desk.assert_requests_were_right();
}

#[test]
fn sessions_are_listed_named_searched_and_deleted() {
    let mut desk = Desk::default();
    let (one, two) = (desk.session(), desk.session());
    desk.run(&one, "Tell me about lighthouses\nand more", Say::Approve);
    desk.run(&two, "关于灯塔", Say::Approve);
    let list = |desk: &mut Desk| match desk.ask(Op::ListSessions) {
        Answer::Sessions { sessions } => sessions,
        other => panic!("{other:?}"),
    };
    let titles: Vec<_> = list(&mut desk)
        .into_iter()
        .map(|session| session.title)
        .collect();
    assert_eq!(titles, ["关于灯塔", "Tell me about lighthouses"]);
    assert_eq!(
        desk.ask(Op::RenameSession {
            session: one.clone(),
            title: " Lights ".to_owned()
        }),
        Answer::Ok
    );
    let named = list(&mut desk);
    assert_eq!(named[0].id, two, "a new name is no use of it");
    assert_eq!(named[1].title, "Lights");
    let hits = |desk: &mut Desk, query: &str| match desk.ask(Op::SearchSessions {
        query: query.to_owned(),
        limit: 10,
    }) {
        Answer::Hits { hits } => hits,
        other => panic!("{other:?}"),
    };
    assert_eq!(hits(&mut desk, "灯塔")[0].session, two);
    assert_eq!(hits(&mut desk, "LIGHTHOUSES").len(), 1);
    assert_eq!(
        desk.ask(Op::DeleteSession {
            session: two.clone()
        }),
        Answer::Ok
    );
    assert!(hits(&mut desk, "灯塔").is_empty());
    assert_eq!(
        desk.refused(Op::OpenSession {
            session: two.clone()
        })
        .kind,
        FailureKind::NotFound
    );
    assert_eq!(
        desk.refused(Op::DeleteSession { session: two }).kind,
        FailureKind::NotFound
    );
    let empty = Op::RenameSession {
        session: one,
        title: "  ".to_owned(),
    };
    assert_eq!(desk.refused(empty).kind, FailureKind::BadSubmission);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let mut desk = Desk::default();
    let session = desk.session();
    let absent = SessionId::new("absent");
    let start = |session: &SessionId, text: &str| Op::StartRun {
        session: session.clone(),
        text: text.to_owned(),
        options: RunOptions::default(),
    };
    assert_eq!(
        desk.refused(start(&absent, "hello")).kind,
        FailureKind::NotFound
    );
    assert_eq!(
        desk.refused(start(&session, " \n")).kind,
        FailureKind::BadSubmission
    );
    let search = Op::SearchSessions {
        query: " ".to_owned(),
        limit: 5,
    };
    assert_eq!(desk.refused(search).kind, FailureKind::BadSubmission);
}

#[test]
fn a_run_that_the_engines_end_interrupts_says_so_and_the_session_goes_on() {
    let mut scenarios = builtin();
    scenarios.push(held());
    let mut desk = Desk::with(scenarios, |_| {});
    let session = desk.session();
    desk.start(&session, "Wait [held]", None);
    desk.until(|msg| matches!(msg, EventMsg::TextDelta { .. }));
    desk.restart();
    let events = desk.stored(&session);
    assert_eq!(outcome(&events), RunOutcome::Interrupted);
    desk.simulator.release("here");
    let events = desk.run(&session, "hello again", Say::Approve);
    assert_eq!(outcome(&events), RunOutcome::Done);
    desk.assert_requests_were_right();
}

#[test]
fn everything_asked_of_a_session_that_is_being_deleted_is_answered() {
    let mut desk = Desk::default();
    let session = desk.session();
    desk.submit(Op::DeleteSession {
        session: session.clone(),
    });
    let mut waiting: Vec<_> = (0..5)
        .map(|number| {
            desk.submit(Op::RenameSession {
                session: session.clone(),
                title: format!("title {number}"),
            })
        })
        .collect();
    while !waiting.is_empty() {
        if let Update::Answer { re, answer } = desk.update()
            && waiting.contains(&re)
        {
            assert!(matches!(answer, Answer::Refused { .. }), "{answer:?}");
            waiting.retain(|id| *id != re);
        }
    }
}

#[test]
fn a_session_whose_private_record_is_gone_says_so_and_goes_on() {
    let mut desk = Desk::default();
    let session = desk.session();
    desk.run(&session, "hello", Say::Approve);
    desk.stop();
    for file in ["private.db", "private.db-wal", "private.db-shm"] {
        drop(std::fs::remove_file(desk.home.path().join(file)));
    }
    desk.restart();
    let lost = |events: &[wisp_engine::protocol::Event]| {
        events
            .iter()
            .filter(|event| {
                matches!(
                    event.msg,
                    EventMsg::Notice {
                        notice: wisp_engine::protocol::NoticeKind::MemoryLost,
                        ..
                    }
                )
            })
            .count()
    };
    let events = desk.run(&session, "hello again", Say::Approve);
    assert_eq!((outcome(&events), lost(&events)), (RunOutcome::Done, 1));
    let events = desk.run(&session, "and again", Say::Approve);
    assert_eq!((outcome(&events), lost(&events)), (RunOutcome::Done, 0));
    desk.assert_requests_were_right();
}
