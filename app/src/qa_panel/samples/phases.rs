//! What a model request can be at. Each stays so until it is stopped.

use wisp_engine::protocol::{EventMsg, Failure, FailureKind};

use super::story::{Stage, Story};
use crate::state::qa::Script;

fn begun(stage: &Stage, key: &str) -> Story {
    let mut story = stage.story(key, stage.say("What is it doing?", "它在做什么？"));
    story.ask(stage.say("Take your time.", "慢慢来。"));
    story.step();
    story
}

pub(super) fn waiting(stage: &Stage) -> Script {
    let mut story = begun(stage, "waiting");
    story.in_step(|run, step| EventMsg::StillWaiting {
        run,
        step,
        seconds: 15,
    });
    story.script()
}

pub(super) fn retry(stage: &Stage) -> Script {
    let mut story = begun(stage, "retry");
    story.in_step(|run, step| EventMsg::RequestRetry {
        run,
        step,
        attempt: 2,
        wait_millis: 4_000,
        failure: Failure::new(FailureKind::RateLimit, "The model server answered 429.")
            .with_retry_after(Some(4)),
    });
    story.script()
}

pub(super) fn thinking(stage: &Stage) -> Script {
    let mut story = begun(stage, "thinking");
    story.in_step(|run, step| EventMsg::ReasoningActive { run, step });
    story.script()
}

pub(super) fn calling(stage: &Stage) -> Script {
    let mut story = begun(stage, "calling");
    story.text(stage.say("I'll write it down.", "我来写下来。"));
    story.in_step(|run, step| EventMsg::CallAnnounced {
        run,
        step,
        tool: "files_write".to_owned(),
    });
    story.script()
}
