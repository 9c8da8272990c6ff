//! Questions: whole, answered once, bound to what was seen.

use tempfile::TempDir;
use wisp_engine::protocol::{
    CallStatus, Decision, Detail, EventMsg, FailureKind, Op, RunOutcome, ToolErrorKind,
};
use wisp_qa::{Scenario, builtin};
use wisp_tests::{Desk, Say, outcome, statuses};

fn scenario(name: &str) -> Scenario {
    builtin()
        .into_iter()
        .find(|scenario| scenario.name == name)
        .unwrap()
}

/// Runs until the first question; gives its session and itself.
fn at_the_question(
    desk: &mut Desk,
    scenario: &Scenario,
) -> (
    wisp_engine::protocol::SessionId,
    wisp_engine::protocol::ApprovalRequest,
) {
    let session = desk.session();
    desk.start(&session, &scenario.prompt, None);
    let events = desk.until(|msg| matches!(msg, EventMsg::ApprovalRequested { .. }));
    match events.into_iter().last().map(|event| event.msg) {
        Some(EventMsg::ApprovalRequested { approval, .. }) => (session, approval),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_card_holds_the_whole_change_and_nothing_happens_before_the_answer() {
    let scenario = scenario("demo-replace");
    let mut desk = Desk::for_scenario(&scenario);
    let before = std::fs::read(desk.folder.path().join("readme.md")).unwrap();
    let (session, approval) = at_the_question(&mut desk, &scenario);
    assert!(
        approval.target.ends_with("readme.md"),
        "{}",
        approval.target
    );
    assert!(approval.details.iter().any(|detail| matches!(
        detail,
        Detail::Change { old, new, .. } if old == "one battery" && new == "two batteries"
    )));
    assert_eq!(
        std::fs::read(desk.folder.path().join("readme.md")).unwrap(),
        before
    );
    desk.submit(Op::Decide {
        session: session.clone(),
        approval: approval.id,
        decision: Decision::Approve,
    });
    let events = desk.to_the_end(&session, |_| Say::Approve);
    assert_eq!(outcome(&events), RunOutcome::Done);
    assert_ne!(
        std::fs::read(desk.folder.path().join("readme.md")).unwrap(),
        before
    );
}

#[test]
fn an_answer_counts_once_and_a_foreign_one_not_at_all() {
    let scenario = scenario("demo-replace");
    let mut desk = Desk::for_scenario(&scenario);
    let (session, approval) = at_the_question(&mut desk, &scenario);
    let decide = |session: &wisp_engine::protocol::SessionId, decision| Op::Decide {
        session: session.clone(),
        approval: approval.id.clone(),
        decision,
    };
    let other = desk.session();
    assert_eq!(
        desk.refused(decide(&other, Decision::Approve)).kind,
        FailureKind::NotFound
    );
    desk.submit(decide(&session, Decision::Deny { reason: None }));
    let late = desk.submit(decide(&session, Decision::Approve));
    let mut refused = false;
    let mut events = Vec::new();
    loop {
        match desk.update() {
            wisp_engine::protocol::Update::Answer { re, answer } if re == late => {
                refused = matches!(answer, wisp_engine::protocol::Answer::Refused { .. });
            }
            wisp_engine::protocol::Update::Event(event) => {
                let last = matches!(event.msg, EventMsg::RunFinished { .. });
                events.push(event);
                if last {
                    break;
                }
            }
            _ => {}
        }
    }
    assert!(refused, "the second answer was taken");
    assert_eq!(statuses(&events), [CallStatus::Denied]);
}

#[test]
fn a_file_that_changes_while_the_card_waits_is_not_written() {
    let scenario = scenario("demo-replace");
    let mut desk = Desk::for_scenario(&scenario);
    let path = desk.folder.path().join("readme.md");
    let (session, approval) = at_the_question(&mut desk, &scenario);
    let other = "# Lantern\n\nSomebody else wrote this, with one battery.\n";
    std::fs::write(&path, other).unwrap();
    desk.submit(Op::Decide {
        session: session.clone(),
        approval: approval.id,
        decision: Decision::Approve,
    });
    let events = desk.to_the_end(&session, |_| Say::Approve);
    let kind = events.iter().rev().find_map(|event| match &event.msg {
        EventMsg::CallFinished { report, .. } => report.error.as_ref().map(|error| error.kind),
        _ => None,
    });
    assert_eq!(kind, Some(ToolErrorKind::Conflict));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), other);
}

#[cfg(unix)]
#[test]
fn a_folder_that_is_moved_while_the_card_waits_is_not_written_to() {
    let scenario = scenario("demo-replace");
    for link in [false, true] {
        let mut desk = Desk::with(builtin(), |_| {});
        let (named, moved) = (
            desk.folder.path().join("named"),
            desk.folder.path().join("moved"),
        );
        std::fs::create_dir(&named).unwrap();
        wisp_qa::lay(scenario.workspace.as_deref().unwrap(), &named).unwrap();
        let before = std::fs::read(named.join("readme.md")).unwrap();
        let created = desk.ask(Op::CreateSession {
            folder: Some(named.clone()),
            mode: wisp_engine::protocol::Mode::Chat,
        });
        let wisp_engine::protocol::Answer::SessionReady { session, .. } = created else {
            panic!("{created:?}");
        };
        desk.start(&session.id, &scenario.prompt, None);
        desk.until(|msg| matches!(msg, EventMsg::ApprovalRequested { .. }));
        std::fs::rename(&named, &moved).unwrap();
        let other = TempDir::new().unwrap();
        wisp_qa::lay(scenario.workspace.as_deref().unwrap(), other.path()).unwrap();
        if link {
            std::os::unix::fs::symlink(other.path(), &named).unwrap();
        } else {
            std::fs::create_dir(&named).unwrap();
        }
        let stored = desk.stored(&session.id);
        let Some(EventMsg::ApprovalRequested { approval, .. }) =
            stored.into_iter().last().map(|event| event.msg)
        else {
            panic!("no question");
        };
        desk.submit(Op::Decide {
            session: session.id.clone(),
            approval: approval.id,
            decision: Decision::Approve,
        });
        let events = desk.to_the_end(&session.id, |_| Say::Approve);
        assert_eq!(statuses(&events), [CallStatus::Failed], "link: {link}");
        for folder in [moved.as_path(), other.path()] {
            assert_eq!(std::fs::read(folder.join("readme.md")).unwrap(), before);
        }
    }
}

#[test]
fn a_denied_call_is_not_asked_again_in_the_same_run() {
    let text = r#"
name = "again"
title = "Asks again what was denied"
tag = "[again]"
prompt = "Make a folder [again]"
workspace = ""

[[turns]]
calls = [{ name = "files_mkdir", arguments = { path = "new" } }]

[[turns]]
calls = [{ name = "files_mkdir", arguments = { path = "new" } }]

[[turns]]
text = "Then not."

[expect]
outcome = "done"
answer = ["."]
calls = [{ tool = "files_mkdir", status = "denied", times = 2 }]
requests = 3
"#;
    let mut desk = Desk::for_scenario(&Scenario::parse(text).unwrap());
    let session = desk.session();
    let events = desk.run(&session, "Make a folder [again]", Say::Deny);
    assert_eq!(statuses(&events), [CallStatus::Denied, CallStatus::Denied]);
    let questions = events
        .iter()
        .filter(|event| matches!(event.msg, EventMsg::ApprovalRequested { .. }));
    assert_eq!(questions.count(), 1);
    let reasons = events.iter().filter(|event| match &event.msg {
        EventMsg::CallFinished { report, .. } => report
            .error
            .as_ref()
            .is_some_and(|error| error.message.contains("not today")),
        _ => false,
    });
    assert_eq!(reasons.count(), 2, "the model hears the user's reason");
    assert!(!desk.folder.path().join("new").exists());
    desk.assert_requests_were_right();
}

#[test]
fn the_same_call_is_nudged_at_three_and_stopped_at_five_also_in_one_batch() {
    let text = r#"
name = "same"
title = "The same call six times in a batch"
tag = "[same]"
prompt = "Again and again [same]"
workspace = """
//- /a.txt
one
"""

[[turns]]
calls = [{ name = "files_read", arguments = { path = "a.txt" }, copies = 6 }]

[[turns]]
text = "Never asked for."

[expect]
outcome = "guard_stopped"
calls = [{ tool = "files_read", status = "done", times = 4 }]
requests = 1
"#;
    let mut desk = Desk::for_scenario(&Scenario::parse(text).unwrap());
    let session = desk.session();
    let events = desk.run(&session, "Again and again [same]", Say::Approve);
    assert_eq!(
        outcome(&events),
        RunOutcome::GuardStopped {
            tool: "files_read".to_owned(),
            times: 5
        }
    );
    let notes: Vec<bool> = events
        .iter()
        .filter_map(|event| match &event.msg {
            EventMsg::CallFinished { report, .. } => Some(report.note.is_some()),
            _ => None,
        })
        .collect();
    assert_eq!(notes, [false, false, true, true]);
    // The four calls and the two that were never run are all answered in the history.
    assert_eq!(
        outcome(&desk.run(&session, "hello", Say::Approve)),
        RunOutcome::Done
    );
    desk.assert_requests_were_right();
}
