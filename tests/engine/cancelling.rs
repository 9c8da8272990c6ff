//! Cancel in each phase: done within 200 ms, nothing left behind, and the next request goes on from it.

use std::time::{Duration, Instant};

use wisp_engine::protocol::{CallStatus, EventMsg, Op, RunOutcome, SessionId};
use wisp_qa::Scenario;
use wisp_tests::{DEADLINE, Desk, Say, outcome, statuses};

/// From the cancel to the run's last event, as the issue promises it.
const PROMISED: Duration = Duration::from_millis(200);

const HELD: &str = r#"
name = "held"
title = "Waits in each phase"
tag = "[held]"
prompt = "Wait [held]"
workspace = """
//- /a.txt
one
"""

[[turns]]
text = "The scripted model has begun to say something and goes on for a while."
calls = [{ name = "files_read", arguments = { path = "a.txt" } }, { name = "files_mkdir", arguments = { path = "b" } }, { name = "files_mkdir", arguments = { path = "c" } }]
stream = { chunk = "words" }
HOLD

[[turns]]
text = "All done."

[expect]
outcome = "done"
answer = ["."]
requests = 2
"#;

fn held(hold: &str) -> Desk {
    Desk::for_scenario(&Scenario::parse(&HELD.replace("HOLD", hold)).unwrap())
}

fn cancel(desk: &mut Desk, session: &SessionId) -> Vec<wisp_engine::protocol::Event> {
    let started = Instant::now();
    desk.submit(Op::CancelRun {
        session: session.clone(),
        run: None,
    });
    let events = desk.until(|msg| matches!(msg, EventMsg::RunFinished { .. }));
    let took = started.elapsed();
    assert!(took < PROMISED, "the cancel took {took:?}");
    assert_eq!(outcome(&events), RunOutcome::Cancelled);
    events
}

/// The session goes on: the history is one that a model server takes.
fn goes_on(desk: &mut Desk, session: &SessionId) {
    desk.simulator.release("here");
    let events = desk.run(session, "Wait [held]", Say::Approve);
    assert_eq!(outcome(&events), RunOutcome::Done);
    desk.assert_requests_were_right();
}

#[test]
fn before_the_first_token() {
    let mut desk = held(r#"hold = { before = "here" }"#);
    let session = desk.session();
    desk.start(&session, "Wait [held]", None);
    assert!(desk.simulator.wait_for("here", DEADLINE));
    let events = cancel(&mut desk, &session);
    assert!(statuses(&events).is_empty());
    goes_on(&mut desk, &session);
}

#[test]
fn in_the_middle_of_the_text() {
    let mut desk = held(r#"hold = { mid = "here" }"#);
    let session = desk.session();
    desk.start(&session, "Wait [held]", None);
    desk.until(|msg| matches!(msg, EventMsg::TextDelta { .. }));
    assert!(desk.simulator.wait_for("here", DEADLINE));
    cancel(&mut desk, &session);
    goes_on(&mut desk, &session);
}

#[test]
fn while_an_approval_waits() {
    let mut desk = held("");
    let session = desk.session();
    desk.start(&session, "Wait [held]", None);
    desk.until(|msg| matches!(msg, EventMsg::ApprovalRequested { .. }));
    let events = cancel(&mut desk, &session);
    assert_eq!(statuses(&events), [CallStatus::Cancelled]);
    assert!(!desk.folder.path().join("b").exists());
    goes_on(&mut desk, &session);
}

#[test]
fn while_a_tool_runs() {
    let mut desk = held("");
    // Another program holds the lock for changes of files, so that the tool can't come to its end.
    let lock = std::fs::File::create(desk.home.path().join("files.lock")).unwrap();
    lock.lock().unwrap();
    let session = desk.session();
    desk.start(&session, "Wait [held]", None);
    let events = desk.until(|msg| matches!(msg, EventMsg::ApprovalRequested { .. }));
    let Some(EventMsg::ApprovalRequested { approval, .. }) =
        events.into_iter().last().map(|event| event.msg)
    else {
        panic!("no question");
    };
    desk.submit(Op::Decide {
        session: session.clone(),
        approval: approval.id,
        decision: Say::Approve.decision(),
    });
    desk.until(|msg| matches!(msg, EventMsg::ApprovalResolved { .. }));
    let events = cancel(&mut desk, &session);
    assert_eq!(statuses(&events), [CallStatus::Cancelled]);
    assert!(!desk.folder.path().join("b").exists());
    lock.unlock().unwrap();
    goes_on(&mut desk, &session);
    assert!(desk.folder.path().join("b").is_dir() && desk.folder.path().join("c").is_dir());
}

#[test]
fn while_a_retry_waits() {
    let text = r#"
name = "later"
title = "Comes back later"
tag = "[later]"
prompt = "Later [later]"

[[turns]]
text = "Here."
fault = { times = 1, status = 429, retry_after = 30 }

[expect]
outcome = "done"
answer = ["."]
requests = 2
"#;
    let mut desk = Desk::for_scenario(&Scenario::parse(text).unwrap());
    let session = desk.session();
    desk.start(&session, "Later [later]", None);
    desk.until(|msg| matches!(msg, EventMsg::RequestRetry { .. }));
    cancel(&mut desk, &session);
    desk.assert_requests_were_right();
}

#[test]
fn nothing_to_cancel_is_said() {
    let mut desk = Desk::default();
    let session = desk.session();
    let refused = desk.refused(Op::CancelRun { session, run: None });
    assert_eq!(refused.kind, wisp_engine::protocol::FailureKind::NotFound);
}
