//! One step: a model request, its stream turned into events.

use std::time::Duration;

use crate::models::{AssistantTurn, EncodedTools, Finish, ModelClient, ModelEvent};
use crate::protocol::{EventMsg, Failure, FailureKind, RunId, Usage};
use crate::support::clock::Stopwatch;

use super::run::Run;

/// Text is shown at most this often, so that a fast model makes no more events than an eye can follow.
const TEXT_INTERVAL: Duration = Duration::from_millis(25);

/// A whole reply.
pub(super) struct StepReply {
    pub(super) turn: AssistantTurn,
    pub(super) usage: Usage,
    /// Whether it ended at the model's output limit.
    pub(super) cut_off: bool,
}

/// How a step's request ended. `text` is what had been shown of an unfinished reply.
pub(super) enum StepEnd {
    Reply(StepReply),
    Failed { failure: Failure, text: String },
    Cancelled { text: String },
}

/// Sends the request and shows the reply as it comes.
pub(super) async fn ask(
    run: &Run<'_>,
    step: u32,
    client: &ModelClient,
    tools: &EncodedTools,
) -> Result<StepEnd, Failure> {
    let watch = Stopwatch::start();
    let mut text = ShownText::new(run, step);
    run.event(EventMsg::StepStarted {
        run: run.inputs.run.clone(),
        step,
    })
    .await?;
    let Some(conversation) = &run.state.conversation else {
        return Err(Failure::new(
            FailureKind::Internal,
            "The session has no conversation.",
        ));
    };
    let mut stream = client.start(conversation, tools, &run.inputs.cancel);
    loop {
        let event = tokio::select! {
            biased;
            () = run.inputs.cancel.cancelled() => None,
            event = stream.next() => event,
            () = text.due() => {
                text.show().await?;
                continue;
            }
        };
        let id = || run.inputs.run.clone();
        match event {
            None => {
                text.show().await?;
                return Ok(StepEnd::Cancelled { text: text.whole });
            }
            Some(ModelEvent::Text(piece)) => text.push(&piece).await?,
            Some(ModelEvent::Finished(reply)) => {
                text.show().await?;
                run.event(EventMsg::StepFinished {
                    run: id(),
                    step,
                    text: reply.turn.text.clone(),
                    usage: reply.usage,
                    millis: watch.millis(),
                })
                .await?;
                return Ok(StepEnd::Reply(StepReply {
                    cut_off: matches!(reply.finish, Finish::Length),
                    turn: reply.turn,
                    usage: reply.usage,
                }));
            }
            Some(ModelEvent::Failed {
                failure,
                text: shown,
            }) => {
                text.show().await?;
                return Ok(StepEnd::Failed {
                    failure,
                    text: shown,
                });
            }
            Some(other) => {
                text.show().await?;
                run.event(passing(other, id(), step)).await?;
            }
        }
    }
}

/// What happens on the way, as the client hears of it.
fn passing(event: ModelEvent, run: RunId, step: u32) -> EventMsg {
    match event {
        ModelEvent::Retry {
            attempt,
            wait,
            failure,
        } => EventMsg::RequestRetry {
            run,
            step,
            attempt,
            wait_millis: u64::try_from(wait.as_millis()).unwrap_or(u64::MAX),
            failure,
        },
        ModelEvent::StillWaiting { seconds } => EventMsg::StillWaiting { run, step, seconds },
        ModelEvent::CallAnnounced { tool } => EventMsg::CallAnnounced { run, step, tool },
        ModelEvent::Notice(notice, message) => EventMsg::Notice {
            run,
            notice,
            message,
        },
        ModelEvent::Text(text) => EventMsg::TextDelta { run, step, text },
        ModelEvent::ReasoningActive | ModelEvent::Finished(_) | ModelEvent::Failed { .. } => {
            EventMsg::ReasoningActive { run, step }
        }
    }
}

/// Text on its way to the client: shown at once when nothing was shown for a while, else gathered.
struct ShownText<'a> {
    run: &'a Run<'a>,
    step: u32,
    whole: String,
    waiting: String,
    last_shown: Option<Stopwatch>,
}

impl<'a> ShownText<'a> {
    fn new(run: &'a Run<'a>, step: u32) -> Self {
        Self {
            run,
            step,
            whole: String::new(),
            waiting: String::new(),
            last_shown: None,
        }
    }

    async fn push(&mut self, piece: &str) -> Result<(), Failure> {
        self.whole.push_str(piece);
        self.waiting.push_str(piece);
        if self.left().is_zero() {
            self.show().await?;
        }
        Ok(())
    }

    fn left(&self) -> Duration {
        self.last_shown.map_or(Duration::ZERO, |shown| {
            TEXT_INTERVAL.saturating_sub(shown.elapsed())
        })
    }

    /// Resolves when waiting text should be shown; never when none waits.
    async fn due(&self) {
        if self.waiting.is_empty() {
            std::future::pending::<()>().await;
        }
        tokio::time::sleep(self.left()).await;
    }

    async fn show(&mut self) -> Result<(), Failure> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        self.last_shown = Some(Stopwatch::start());
        self.run
            .event(EventMsg::TextDelta {
                run: self.run.inputs.run.clone(),
                step: self.step,
                text: std::mem::take(&mut self.waiting),
            })
            .await
    }
}
