//! Settings that change while the engine works, keys that are kept, and the longest message.

use tempfile::TempDir;
use wisp_engine::protocol::{EventMsg, FailureKind, Op, RunOptions, RunOutcome};
use wisp_engine::{KeyStore, MAX_MESSAGE_BYTES};
use wisp_qa::{MODEL_NAME, Scenario, Simulator};
use wisp_tests::{DEADLINE, Desk, Say, outcome, wisp};

fn scenario(key: &str, held: bool) -> Scenario {
    let pause = if held {
        "hold = { mid = \"here\" }"
    } else {
        ""
    };
    Scenario::parse(&format!(
        r#"
name = "keyed"
title = "Answers with a key"
tag = "[keyed]"
prompt = "Say it [keyed]"
require_key = "{key}"

[[turns]]
text = "The scripted model says this in two halves, and may stop between them."
stream = {{ chunk = "words" }}
{pause}

[expect]
outcome = "done"
answer = ["."]
requests = 1
"#
    ))
    .unwrap()
}

#[test]
fn new_settings_hold_for_the_next_run_and_not_for_the_one_that_goes_on() {
    let mut desk = Desk::with(vec![scenario("sk-first-key", true)], |settings| {
        settings.api_key = Some("sk-first-key".to_owned());
    });
    let second = Simulator::start(vec![scenario("sk-second-key", false)], 0).unwrap();
    let session = desk.session();
    desk.start(&session, "Say it [keyed]", None);
    assert!(desk.simulator.wait_for("here", DEADLINE));
    desk.configure(|settings| {
        settings.base_url = second.base_url();
        settings.api_key = Some("sk-second-key".to_owned());
        settings.provider = Some("other".to_owned());
        settings.max_steps = 3;
    });
    desk.simulator.release("here");
    let events = desk.to_the_end(&session, |_| Say::Approve);
    assert_eq!(outcome(&events), RunOutcome::Done);
    assert_eq!(
        (
            desk.simulator.log().requests.len(),
            second.log().requests.len()
        ),
        (1, 0)
    );
    let words = "Say it [keyed] without sk-first-key and sk-second-key";
    let events = desk.run(&session, words, Say::Approve);
    assert_eq!(outcome(&events), RunOutcome::Done);
    assert_eq!(
        (
            desk.simulator.log().requests.len(),
            second.log().requests.len()
        ),
        (1, 1)
    );
    let started = events.iter().find_map(|event| match &event.msg {
        EventMsg::RunStarted {
            text, max_steps, ..
        } => Some((text.as_str(), *max_steps)),
        _ => None,
    });
    assert_eq!(started, Some(("Say it [keyed] without [key] and [key]", 3)));
    let violations = second.log().violations;
    assert!(violations.is_empty(), "{violations:#?}");
    desk.assert_requests_were_right();
}

#[test]
fn a_setting_that_makes_no_sense_refuses_the_next_run_and_can_be_mended() {
    let mut desk = Desk::default();
    let session = desk.session();
    let good = desk.simulator.base_url();
    desk.configure(|settings| settings.base_url = "nonsense".to_owned());
    let start = Op::StartRun {
        session: session.clone(),
        text: "hello".to_owned(),
        options: RunOptions::default(),
    };
    assert_eq!(desk.refused(start).kind, FailureKind::Settings);
    desk.configure(|settings| settings.base_url = good);
    let events = desk.run(&session, "hello", Say::Approve);
    assert_eq!(outcome(&events), RunOutcome::Done);
}

#[test]
fn a_message_may_be_long_and_one_that_is_longer_is_refused() {
    let mut desk = Desk::default();
    let session = desk.session();
    let mut text = "word ".repeat(MAX_MESSAGE_BYTES / 5);
    assert_eq!(text.len(), MAX_MESSAGE_BYTES);
    let events = desk.run(&session, &text, Say::Approve);
    assert_eq!(outcome(&events), RunOutcome::Done);
    text.push('x');
    let failure = desk.refused(Op::StartRun {
        session,
        text,
        options: RunOptions::default(),
    });
    assert_eq!(failure.kind, FailureKind::BadSubmission);
    assert!(
        failure.message.contains(&MAX_MESSAGE_BYTES.to_string()),
        "{failure}"
    );
}

#[test]
fn the_command_line_finds_the_kept_key_for_its_server_and_gives_it_to_no_other() {
    let home = TempDir::new().unwrap();
    let simulator = Simulator::start(vec![scenario("sk-kept-key", false)], 0).unwrap();
    // It answers only those who have the very key that is kept for the first one.
    let other = Simulator::start(vec![scenario("sk-kept-key", false)], 0).unwrap();
    let host = simulator.base_url();
    let host = host
        .trim_start_matches("http://")
        .split('/')
        .next()
        .unwrap();
    KeyStore::of(home.path())
        .in_file_only()
        .write(host, "sk-kept-key")
        .unwrap();
    let exec = |more: &[&str]| {
        wisp(home.path())
            .env("WISP_BASE_URL", simulator.base_url())
            .env("WISP_MODEL", MODEL_NAME)
            .args(["exec", "Say it [keyed]"])
            .args(more)
            .output()
            .unwrap()
    };
    let output = exec(&[]);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let output = exec(&["--set", &format!("base_url={}", other.base_url())]);
    assert!(
        !output.status.success(),
        "the key was sent to another server"
    );
    assert_eq!(other.log().requests.len(), 1);
}
