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
    // Reading a folder of many files takes the search a while; the cancel comes in its middle.
    let text = r#"
name = "long"
title = "A long search"
tag = "[long]"
prompt = "Search [long]"
workspace = ""

[[turns]]
calls = [{ name = "files_search", arguments = { path = ".", query = "needle", mode = "content" } }]

[[turns]]
text = "Searched."

[expect]
outcome = "done"
answer = ["."]
calls = [{ tool = "files_search", status = "done" }]
requests = 2
"#;
    let mut desk = Desk::for_scenario(&Scenario::parse(text).unwrap());
    let filler = "hay ".repeat(50_000);
    for number in 0..400 {
        std::fs::write(desk.folder.path().join(format!("{number}.txt")), &filler).unwrap();
    }
    let session = desk.session();
    desk.start(&session, "Search [long]", None);
    desk.until(|msg| matches!(msg, EventMsg::CallStarted { .. }));
    let started = Instant::now();
    desk.submit(Op::CancelRun {
        session: session.clone(),
        run: None,
    });
    let events = desk.until(|msg| matches!(msg, EventMsg::RunFinished { .. }));
    assert!(started.elapsed() < PROMISED, "{:?}", started.elapsed());
    // A fast machine may have finished the search before the cancel arrived.
    assert!(matches!(
        outcome(&events),
        RunOutcome::Cancelled | RunOutcome::Done
    ));
    let again = desk.run(&session, "Search [long]", Say::Approve);
    assert_eq!(outcome(&again), RunOutcome::Done);
    desk.assert_requests_were_right();
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
