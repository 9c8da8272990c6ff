//! Questions: whole, answered once, bound to what was seen.

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
        Detail::Change { old, new } if old == "one battery" && new == "two batteries"
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
