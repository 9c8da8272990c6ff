use serde_json::json;
use wisp_engine::protocol::{Event, EventId, RunOutcome, SessionId};

use super::*;

const SCENARIO: &str = r#"
name = "s"
title = "S"
tag = "[s]"
prompt = "[s]"
workspace = """
//- /a.md
old
//- /sub/b.md
b
"""

[[turns]]
text = "x"

[expect]
outcome = "done"
calls = [
    { tool = "files_read", status = "done", times = 2 },
    { tool = "files_write", status = "done", when_denied = "denied" },
]
answer = ["new"]
answer_denied = ["not"]
requests = 3

[expect.approved]
files = { "a.md" = "new\n" }
folders = ["made"]
gone = ["sub/b.md"]
"#;

fn event(msg: EventMsg) -> Event {
    Event {
        id: EventId(1),
        session: SessionId::new("s"),
        at: 0,
        msg,
    }
}

fn from(json: serde_json::Value) -> EventMsg {
    serde_json::from_value(json).unwrap()
}

/// The events of a run; `approve` is the user's answer.
fn events(approve: bool, answer: &str, outcome: &serde_json::Value) -> Vec<Event> {
    let usage = json!({});
    let call = |tool: &str, status: &str| {
        json!({"event": "call_finished", "run": "r", "step": 1, "call": "c", "tool": tool,
            "report": {"status": status, "millis": 1}})
    };
    let decision = if approve {
        json!({"decision": "approve"})
    } else {
        json!({"decision": "deny"})
    };
    [
        json!({"event": "run_started", "run": "r", "text": "[s]", "max_steps": 8}),
        json!({"event": "step_started", "run": "r", "step": 1}),
        json!({"event": "request_retry", "run": "r", "step": 1, "attempt": 2, "wait_millis": 0,
            "failure": {"kind": "overload", "message": "m", "advice": "a"}}),
        call("files_read", "done"),
        call("files_read", "done"),
        json!({"event": "approval_resolved", "run": "r", "approval": "a", "call": "c",
            "decision": decision, "source": "user"}),
        call("files_write", if approve { "done" } else { "denied" }),
        json!({"event": "step_started", "run": "r", "step": 2}),
        json!({"event": "step_finished", "run": "r", "step": 2, "text": answer, "calls": 0,
            "usage": usage, "millis": 1}),
        json!({"event": "run_finished", "run": "r", "outcome": outcome, "side_effects": approve, "steps": 2,
            "usage": usage, "millis": 1}),
    ]
    .into_iter()
    .map(|json| event(from(json)))
    .collect()
}

fn done() -> serde_json::Value {
    json!({"outcome": "done"})
}

fn folder(approved: bool) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let scenario = Scenario::parse(SCENARIO).unwrap();
    workspace::lay(scenario.workspace.as_deref().unwrap(), folder.path()).unwrap();
    if approved {
        fs::write(folder.path().join("a.md"), "new\n").unwrap();
        fs::create_dir(folder.path().join("made")).unwrap();
        fs::remove_file(folder.path().join("sub/b.md")).unwrap();
    }
    folder
}

fn report(events: &[Event], folder: &tempfile::TempDir) -> Report {
    check(&Scenario::parse(SCENARIO).unwrap(), events, folder.path())
}

fn failing(report: &Report) -> Vec<&str> {
    report
        .lines
        .iter()
        .filter(|line| !line.ok)
        .map(|line| line.what.as_str())
        .collect()
}

#[test]
fn an_approved_and_a_denied_run_pass_with_their_own_expectations() {
    let good = report(&events(true, "a new one", &done()), &folder(true));
    assert!(good.passed(), "{good}");
    let good = report(&events(false, "not changed", &done()), &folder(false));
    assert!(good.passed(), "{good}");
}

#[test]
fn each_difference_is_a_line_of_its_own() {
    let wrong_folder = report(&events(true, "new", &done()), &folder(false));
    assert_eq!(
        failing(&wrong_folder),
        ["files: a.md", "files: made", "files: sub/b.md"]
    );
    let denied = report(&events(false, "not", &done()), &folder(true));
    assert_eq!(failing(&denied).len(), 3);
    let answer = report(&events(true, "old", &done()), &folder(true));
    assert_eq!(failing(&answer), ["answer"]);
    let failed = json!({"outcome": "failed",
        "failure": {"kind": "idle", "message": "m", "advice": "a"}});
    let outcome = report(&events(true, "new", &failed), &folder(true));
    assert_eq!(failing(&outcome), ["outcome", "failure"]);
    assert!(outcome.to_string().contains("seen idle"), "{outcome}");
}

#[test]
fn calls_and_requests_are_counted() {
    let mut fewer = events(true, "new", &done());
    fewer.remove(3);
    let calls = report(&fewer, &folder(true));
    assert_eq!(failing(&calls), ["calls"]);
    let line = calls.lines.iter().find(|line| !line.ok).unwrap();
    assert_eq!(line.expected, "files_read done ×2, files_write done");
    assert_eq!(line.seen, "files_read done, files_write done");
    let mut requests = events(true, "new", &done());
    requests.remove(2);
    assert_eq!(failing(&report(&requests, &folder(true))), ["requests"]);
}

#[test]
fn further_calls_pass_only_where_they_are_allowed() {
    let mut events = events(true, "new", &done());
    let more = events[3].clone();
    events.insert(7, more);
    assert_eq!(failing(&report(&events, &folder(true))), ["calls"]);
    let text = SCENARIO.replace("requests = 3", "requests = 3\nfurther_calls = true");
    let scenario = Scenario::parse(&text).unwrap();
    assert!(check(&scenario, &events, folder(true).path()).passed());
}

#[test]
fn only_the_last_run_counts_and_a_run_without_an_end_fails() {
    let mut both = events(false, "not", &json!({"outcome": "cancelled"}));
    both.extend(events(true, "new", &done()));
    assert!(report(&both, &folder(true)).passed());
    both.pop();
    assert_eq!(failing(&report(&both, &folder(true))), ["outcome"]);
    let none = report(&[], &folder(true));
    assert!(failing(&none).contains(&"outcome"));
}

#[test]
fn what_nobody_expects_in_the_folder_is_seen() {
    let folder = folder(true);
    fs::write(folder.path().join(".stray"), "x").unwrap();
    let report = report(&events(true, "new", &done()), &folder);
    assert_eq!(failing(&report), ["files: .stray"]);
    assert!(!report.to_string().contains("s: passed"));
}

#[test]
fn a_folder_is_looked_at_up_to_a_limit() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..MAX_ENTRIES {
        fs::write(folder.path().join(number.to_string()), "").unwrap();
    }
    assert_eq!(read_tree(folder.path()).unwrap().len(), MAX_ENTRIES);
    fs::write(folder.path().join("more"), "").unwrap();
    assert!(
        read_tree(folder.path())
            .unwrap_err()
            .to_string()
            .contains("10000")
    );
}

#[test]
fn a_folder_that_is_gone_is_said() {
    let folder = folder(true);
    let path = folder.path().join("nowhere");
    let scenario = Scenario::parse(SCENARIO).unwrap();
    let report = check(&scenario, &events(true, "new", &done()), &path);
    assert_eq!(failing(&report), ["files"]);
}

#[test]
fn outcomes_have_the_protocols_names() {
    for outcome in [
        RunOutcome::Done,
        RunOutcome::Cancelled,
        RunOutcome::Interrupted,
        RunOutcome::BudgetSpent { max_steps: 1 },
        RunOutcome::GuardStopped {
            tool: "t".to_owned(),
            times: 5,
        },
    ] {
        let json = serde_json::to_value(&outcome).unwrap();
        assert_eq!(json["outcome"], Outcome::of(&outcome).name());
    }
}
