//! A session as data, the same each time: for the pictures that are kept.

use serde_json::json;
use wisp_engine::protocol::{
    ApprovalId, ApprovalRequest, CallId, CallReport, CallRequest, CallStatus, Detail, DetailLabel,
    Event, EventId, EventMsg, Failure, FailureKind, Mode, RunId, RunOutcome, SessionId,
    SessionSummary, Usage,
};

/// When everything happened: so far away that no time is counted.
const AT: u64 = 32_503_680_000_000;

pub(crate) fn summary() -> SessionSummary {
    SessionSummary {
        id: session(),
        title: "Make it run on two batteries".to_owned(),
        folder: Some("/ada/lantern".into()),
        mode: Mode::Chat,
        created_at: AT,
        updated_at: AT,
        runs: 1,
        running: false,
    }
}

fn session() -> SessionId {
    SessionId::new("story")
}

fn run() -> RunId {
    RunId::new("run")
}

fn numbered(messages: Vec<EventMsg>) -> Vec<Event> {
    (1..)
        .zip(messages)
        .map(|(number, msg)| Event {
            id: EventId(number),
            session: session(),
            at: AT,
            msg,
        })
        .collect()
}

fn usage() -> Usage {
    Usage {
        input: 1_200,
        cached: 3_400,
        output: 210,
        reasoning: 60,
    }
}

fn step(number: u32, text: &str) -> [EventMsg; 2] {
    [
        EventMsg::StepStarted {
            run: run(),
            step: number,
        },
        EventMsg::StepFinished {
            run: run(),
            step: number,
            text: text.to_owned(),
            usage: usage(),
            millis: 1_200,
        },
    ]
}

/// The request, and a file that was read for it.
fn beginning() -> Vec<EventMsg> {
    let call = CallId::new("read");
    let mut messages = vec![EventMsg::RunStarted {
        run: run(),
        text: "Make it run on two batteries".to_owned(),
        max_steps: 8,
    }];
    messages.extend(step(1, "I'll read it first."));
    messages.push(EventMsg::CallsRequested {
        run: run(),
        step: 1,
        calls: vec![CallRequest {
            call: call.clone(),
            tool: "files_read".to_owned(),
            arguments: r#"{"path":"readme.md"}"#.to_owned(),
        }],
    });
    messages.push(EventMsg::CallFinished {
        run: run(),
        step: 1,
        call,
        tool: "files_read".to_owned(),
        report: CallReport {
            status: CallStatus::Done,
            result: Some(json!({"text": "A small lamp.", "totalLines": 1})),
            error: None,
            note: None,
            millis: 4,
        },
    });
    messages
}

fn end(outcome: RunOutcome) -> EventMsg {
    EventMsg::RunFinished {
        run: run(),
        outcome,
        side_effects: false,
        steps: 2,
        usage: usage(),
        millis: 2_400,
    }
}

/// A run that went well, with an answer that holds what answers hold.
pub(crate) fn answer() -> Vec<Event> {
    let mut messages = beginning();
    messages.extend(step(
        2,
        "## Done\n\nThe lamp **runs on two batteries** now, see `readme.md`.\n\n| part | before | now |\n\
         | :--- | ---: | ---: |\n| battery | 1 | 2 |\n| hours | 4 | 9 |\n\n- [x] read it\n- [x] change it\n\n\
         ```text\nfn hours(batteries: u32) -> u32 {\n    batteries * 9 / 2 // a guess\n}\n```\n",
    ));
    messages.push(end(RunOutcome::Done));
    numbered(messages)
}

/// A change that waits.
pub(crate) fn card() -> Vec<Event> {
    let call = CallId::new("replace");
    let mut messages = beginning();
    messages.extend(step(2, "I'll change one word."));
    messages.push(EventMsg::CallsRequested {
        run: run(),
        step: 2,
        calls: vec![CallRequest {
            call: call.clone(),
            tool: "files_replace".to_owned(),
            arguments: r#"{"path":"readme.md"}"#.to_owned(),
        }],
    });
    messages.push(EventMsg::ApprovalRequested {
        run: run(),
        step: 2,
        approval: ApprovalRequest {
            id: ApprovalId::new("approval"),
            call,
            tool: "files_replace".to_owned(),
            sentence: "Replace one passage of readme.md.".to_owned(),
            target: "/ada/lantern/readme.md".to_owned(),
            details: vec![
                Detail::Change {
                    old: "A small lamp\nthat runs on one battery.\n".to_owned(),
                    new: "A small lamp\nthat runs on two batteries.\n".to_owned(),
                    lines: None,
                },
                Detail::Fact {
                    label: DetailLabel::Digest,
                    value: "8d5e957f297893487bd98fa830fa6413".to_owned(),
                },
            ],
        },
    });
    numbered(messages)
}

/// A run that could not go on.
pub(crate) fn failure() -> Vec<Event> {
    let mut messages = beginning();
    let failure = Failure::new(FailureKind::RateLimit, "The model server said: slow down.")
        .with_advice("Try again in a minute.");
    messages.push(end(RunOutcome::Failed { failure }));
    numbered(messages)
}
