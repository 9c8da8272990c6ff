//! What goes wrong outside the program: keys, servers, streams, folders. Said in words, nothing lost.

use wisp_engine::protocol::{
    Event, EventMsg, Failure, FailureKind, Mode, Op, RunOptions, RunOutcome,
};
use wisp_qa::{Scenario, builtin};
use wisp_tests::{Desk, Say, outcome};

fn scenario(name: &str) -> Scenario {
    builtin()
        .into_iter()
        .find(|scenario| scenario.name == name)
        .unwrap()
}

fn failure(events: &[Event]) -> Failure {
    match outcome(events) {
        RunOutcome::Failed { failure } => failure,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_wrong_key_is_said_and_appears_nowhere() {
    let scenario = scenario("fault-key");
    let mut desk = Desk::with(vec![scenario.clone()], |settings| {
        settings.api_key = Some("sk-wrong-key-1234567890".to_owned());
    });
    let session = desk.session();
    let events = desk.run(&session, &scenario.prompt, Say::Approve);
    let failure = failure(&events);
    assert_eq!(failure.kind, FailureKind::Authentication);
    assert!(failure.advice.contains("key"), "{failure}");
    for file in std::fs::read_dir(desk.home.path()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        assert!(
            !bytes.windows(12).any(|part| part == b"sk-wrong-key"),
            "the key is stored"
        );
    }
}

#[test]
fn a_key_that_gets_into_what_is_said_is_blanked_there_too() {
    let text = r#"
name = "key"
title = "Reads a file that holds the key, and says it"
tag = "[key]"
prompt = "Read [key]"
workspace = """
//- /env.txt
KEY=sk-in-a-file-1234567890
"""

[[turns]]
calls = [{ name = "files_read", arguments = { path = "env.txt" } }]

[[turns]]
text = "It is {{result.0.text}}."

[expect]
outcome = "done"
answer = ["."]
requests = 2
"#;
    let mut desk = Desk::with(vec![Scenario::parse(text).unwrap()], |settings| {
        settings.api_key = Some("sk-in-a-file-1234567890".to_owned());
    });
    std::fs::write(
        desk.folder.path().join("env.txt"),
        "KEY=sk-in-a-file-1234567890\n",
    )
    .unwrap();
    let session = desk.session();
    let events = desk.run(
        &session,
        "Is it sk-in-a-file-1234567890? Read [key]",
        Say::Approve,
    );
    assert_eq!(outcome(&events), RunOutcome::Done);
    assert!(
        !serde_json::to_string(&events)
            .unwrap()
            .contains("sk-in-a-file")
    );
    desk.assert_requests_were_right();
    desk.restart();
    let again = desk.run(&session, "And once more: read [key]", Say::Approve);
    assert_eq!(outcome(&again), RunOutcome::Done);
    desk.assert_requests_were_right();
    for file in std::fs::read_dir(desk.home.path()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        assert!(
            !bytes.windows(12).any(|part| part == b"sk-in-a-file"),
            "the key is stored"
        );
    }
}

#[test]
fn no_key_for_a_server_elsewhere_is_said_before_any_request() {
    let mut desk = Desk::with(builtin(), |settings| {
        "https://models.invalid/v1".clone_into(&mut settings.base_url);
    });
    let session = desk.session();
    let refused = desk.refused(Op::StartRun {
        session,
        text: "hello".to_owned(),
        options: RunOptions::default(),
    });
    assert_eq!(refused.kind, FailureKind::Authentication);
}

#[test]
fn a_host_that_is_not_there_is_a_network_failure() {
    // Nothing listens on port 1 of loopback.
    let mut desk = Desk::with(builtin(), |settings| {
        "http://127.0.0.1:1/v1".clone_into(&mut settings.base_url);
    });
    let session = desk.session();
    desk.start(&session, "hello", None);
    // The tries are counted by the adapter's own tests; here the first is enough.
    let events = desk.until(|msg| matches!(msg, EventMsg::RequestRetry { .. }));
    match events.into_iter().last().map(|event| event.msg) {
        Some(EventMsg::RequestRetry { failure, .. }) => {
            assert_eq!(failure.kind, FailureKind::Network);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn comments_alone_are_no_sign_of_life() {
    let scenario = scenario("fault-comments");
    let mut desk = Desk::with(vec![scenario.clone()], |settings| settings.idle_seconds = 1);
    let session = desk.session();
    let events = desk.run(&session, &scenario.prompt, Say::Approve);
    assert_eq!(failure(&events).kind, FailureKind::Idle);
}

#[test]
fn a_retried_request_never_repeats_a_finished_write() {
    let text = r#"
name = "once"
title = "A write, and a request that fails after it"
tag = "[once]"
prompt = "Write [once]"
workspace = ""

[[turns]]
calls = [{ name = "files_mkdir", arguments = { path = "made" } }]

[[turns]]
text = "Made."
fault = { times = 2, status = 500, retry_after = 0 }

[expect]
outcome = "done"
answer = ["."]
calls = [{ tool = "files_mkdir", status = "done" }]
requests = 4
"#;
    let scenario = Scenario::parse(text).unwrap();
    let mut desk = Desk::for_scenario(&scenario);
    let session = desk.session();
    let events = desk.run(&session, "Write [once]", Say::Approve);
    assert_eq!(outcome(&events), RunOutcome::Done);
    let started = events
        .iter()
        .filter(|event| matches!(event.msg, EventMsg::CallStarted { .. }));
    assert_eq!(started.count(), 1);
    let retries = events
        .iter()
        .filter(|event| matches!(event.msg, EventMsg::RequestRetry { .. }));
    assert_eq!(retries.count(), 2);
    assert_eq!(desk.simulator.log().requests.len(), 4);
    desk.assert_requests_were_right();
}

#[test]
fn one_connection_serves_all_rounds() {
    let scenario = scenario("bench-loop");
    let mut desk = Desk::for_scenario(&scenario);
    let session = desk.session();
    desk.start(&session, &scenario.prompt, scenario.max_steps);
    let events = desk.to_the_end(&session, |_| Say::Approve);
    assert_eq!(outcome(&events), RunOutcome::Done);
    let log = desk.simulator.log();
    assert_eq!(log.requests.len(), 21);
    // One; on a busy machine the client may open a second in the moment before the first is free again.
    assert!(log.connections <= 2, "{} connections", log.connections);
    // Eight agents sent 2.6 to 12 MB in 100 rounds, most of it their own words and schemas in each request.
    let first = log.requests[0].bytes;
    assert!(first < 12_000, "a first request of {first} bytes");
    let grown = (log.requests[20].bytes - first) / 20;
    assert!(grown < 600, "each round adds {grown} bytes");
}

#[test]
fn a_folder_that_is_gone_or_none_is_said() {
    let mut desk = Desk::default();
    let file = desk.folder.path().join("file");
    std::fs::write(&file, "x").unwrap();
    for folder in [file, desk.folder.path().join("absent")] {
        let refused = desk.refused(Op::CreateSession {
            folder: Some(folder),
            mode: Mode::Chat,
        });
        assert_eq!(refused.kind, FailureKind::Folder);
    }
    let inside = desk.folder.path().join("inside");
    std::fs::create_dir(&inside).unwrap();
    let created = desk.ask(Op::CreateSession {
        folder: Some(inside.clone()),
        mode: Mode::Chat,
    });
    let wisp_engine::protocol::Answer::SessionReady { session, .. } = created else {
        panic!("{created:?}");
    };
    std::fs::remove_dir(&inside).unwrap();
    let refused = desk.refused(Op::StartRun {
        session: session.id,
        text: "hello".to_owned(),
        options: RunOptions::default(),
    });
    assert_eq!(refused.kind, FailureKind::Folder);
    assert!(refused.message.contains("inside"), "{refused}");
}

#[cfg(unix)]
#[test]
fn a_folder_that_was_swapped_for_a_link_is_not_followed() {
    let mut desk = Desk::default();
    let (own, other) = (
        desk.folder.path().join("own"),
        desk.folder.path().join("other"),
    );
    std::fs::create_dir(&own).unwrap();
    std::fs::create_dir(&other).unwrap();
    let created = desk.ask(Op::CreateSession {
        folder: Some(own.clone()),
        mode: Mode::Chat,
    });
    let wisp_engine::protocol::Answer::SessionReady { session, .. } = created else {
        panic!("{created:?}");
    };
    std::fs::remove_dir(&own).unwrap();
    std::os::unix::fs::symlink(&other, &own).unwrap();
    let refused = desk.refused(Op::StartRun {
        session: session.id,
        text: "hello".to_owned(),
        options: RunOptions::default(),
    });
    assert_eq!(refused.kind, FailureKind::Folder);
    assert!(refused.message.contains("link"), "{refused}");
}

#[test]
fn the_data_folder_itself_is_no_folder_to_work_on() {
    let mut desk = Desk::default();
    let refused = desk.refused(Op::CreateSession {
        folder: Some(desk.home.path().to_owned()),
        mode: Mode::Chat,
    });
    assert_eq!(refused.kind, FailureKind::Folder);
}

#[test]
fn steps_are_limited_on_both_sides() {
    let mut desk = Desk::default();
    let session = desk.session();
    for (steps, fine) in [(0, false), (1, true), (500, true), (501, false)] {
        let answer = desk.ask(Op::StartRun {
            session: session.clone(),
            text: "hello".to_owned(),
            options: RunOptions {
                max_steps: Some(steps),
            },
        });
        let accepted = matches!(answer, wisp_engine::protocol::Answer::RunAccepted { .. });
        assert_eq!(accepted, fine, "{steps}");
        if accepted {
            desk.to_the_end(&session, |_| Say::Deny);
        }
    }
}

#[test]
fn a_batch_of_two_hundred_calls_is_answered_in_order() {
    let scenario = scenario("batch-200");
    let mut desk = Desk::for_scenario(&scenario);
    let session = desk.session();
    desk.start(&session, &scenario.prompt, None);
    let events = desk.to_the_end(&session, |_| Say::Approve);
    let asked: Vec<_> = events
        .iter()
        .filter_map(|event| match &event.msg {
            EventMsg::CallsRequested { calls, .. } => {
                Some(calls.iter().map(|call| call.call.clone()))
            }
            _ => None,
        })
        .flatten()
        .collect();
    let finished: Vec<_> = events
        .iter()
        .filter_map(|event| match &event.msg {
            EventMsg::CallFinished { call, .. } => Some(call.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(asked.len(), 200);
    assert_eq!(asked, finished);
    desk.assert_requests_were_right();
}

#[test]
fn reasoning_is_in_no_event_and_in_no_public_file() {
    let scenario = scenario("chat");
    let secret = scenario
        .turns
        .iter()
        .map(|turn| turn.reasoning.clone())
        .find(|reasoning| !reasoning.is_empty())
        .expect("the chat scenario reasons");
    let mut desk = Desk::for_scenario(&scenario);
    let session = desk.session();
    let events = desk.run(&session, &scenario.prompt, Say::Approve);
    let words: Vec<&str> = secret.split_whitespace().take(4).collect();
    let part = words.join(" ");
    assert!(part.len() > 10, "too little to look for: {part}");
    assert!(!serde_json::to_string(&events).unwrap().contains(&part));
    desk.restart();
    let find = |file: &str| {
        let bytes = std::fs::read(desk.home.path().join(file)).unwrap_or_default();
        bytes
            .windows(part.len())
            .any(|window| window == part.as_bytes())
    };
    for file in ["wisp.db", "wisp.db-wal"] {
        assert!(!find(file), "{file} holds reasoning");
    }
    assert!(
        find("private.db") || find("private.db-wal"),
        "the model's history lacks its reasoning"
    );
}
