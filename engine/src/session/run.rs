//! One run: a user's request and all that follows, from its first event to its last.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio_util::sync::CancellationToken;

use crate::files::{Workspace, Writer};
use crate::models::{Conversation, HistoryItem, ModelClient};
use crate::permission::gate::Gate;
use crate::preview::Previews;
use crate::protocol::{
    CallId, CallRequest, EventMsg, Failure, Mode, NoticeKind, RunId, RunOutcome, Usage,
};
use crate::support::clock::Stopwatch;
use crate::toolkit::ToolContext;
use crate::toolkit::snapshot::Snapshot;

use super::batch::{self, BatchEnd, Guard};
use super::history;
use super::journal::Journal;
use super::questions::Questions;
use super::step::{self, StepEnd};

/// What a session keeps from run to run. Its actor owns it; a run borrows it whole.
pub(crate) struct SessionState {
    pub(crate) mode: Mode,
    /// The history as items, for closing a run that ends in its middle.
    pub(crate) items: Vec<HistoryItem>,
    /// The same as the bytes of the next request. Made at the first run.
    pub(crate) conversation: Option<Conversation>,
    /// Whether the session has had runs and yet no history: its private file was taken away.
    pub(crate) memory_lost: bool,
}

/// What one run is given.
pub(crate) struct RunInputs {
    pub(crate) run: RunId,
    pub(crate) journal: Journal,
    pub(crate) questions: Questions,
    pub(crate) cancel: CancellationToken,
    /// Cancelled when the whole engine stops, which interrupts a run instead of cancelling it.
    pub(crate) stopping: CancellationToken,
    /// Set before the run's end is shown.
    pub(crate) ending: Arc<AtomicBool>,
    pub(crate) workspace: Option<Arc<Workspace>>,
    pub(crate) writer: Writer,
    pub(crate) previews: Previews,
}

/// What a run does.
pub(crate) enum Work {
    /// Answers the user with the model's help.
    Request {
        text: String,
        max_steps: u32,
        client: ModelClient,
    },
    /// Runs one tool.
    Call { tool: String, arguments: String },
}

/// Does it, and ends with `RunFinished` unless nothing can be stored any more.
pub(crate) async fn conduct(
    state: &mut SessionState,
    inputs: RunInputs,
    work: Work,
) -> Result<(), Failure> {
    let watch = Stopwatch::start();
    let snapshot = Snapshot::capture(state.mode, inputs.workspace.is_some());
    let context = ToolContext {
        session: inputs.journal.session().clone(),
        run: inputs.run.clone(),
        previews: inputs.previews.clone(),
        workspace: inputs.workspace.clone(),
        writer: inputs.writer.clone(),
        tools: Arc::clone(snapshot.descriptions()),
        cancel: inputs.cancel.clone(),
    };
    let mut run = Run {
        gate: Gate::new(state.mode),
        state,
        guard: Guard::default(),
        snapshot,
        context,
        side_effects: false,
        steps: 0,
        usage: Usage::default(),
        inputs,
    };
    let outcome = match work {
        Work::Request {
            text,
            max_steps,
            client,
        } => run.request(text, max_steps, &client).await?,
        Work::Call { tool, arguments } => run.single_call(tool, arguments).await?,
    };
    let outcome = match outcome {
        RunOutcome::Cancelled if run.inputs.stopping.is_cancelled() => RunOutcome::Interrupted,
        outcome => outcome,
    };
    run.inputs.ending.store(true, Ordering::Release);
    let journal = &run.inputs.journal;
    journal
        .event(EventMsg::RunFinished {
            run: run.inputs.run.clone(),
            outcome,
            side_effects: run.side_effects,
            steps: run.steps,
            usage: run.usage,
            millis: watch.millis(),
        })
        .await?;
    journal.settle(true).await
}

/// A run that goes on.
pub(super) struct Run<'a> {
    pub(super) state: &'a mut SessionState,
    pub(super) inputs: RunInputs,
    pub(super) snapshot: Snapshot,
    pub(super) context: ToolContext,
    pub(super) guard: Guard,
    pub(super) gate: Gate,
    /// Whether a call that changes something was asked for.
    pub(super) side_effects: bool,
    steps: u32,
    usage: Usage,
}

impl Run<'_> {
    /// Adds to the model's history, privately stored first.
    pub(super) async fn remember(&mut self, item: HistoryItem) -> Result<(), Failure> {
        let item = self.inputs.journal.item(item).await?;
        if let Some(conversation) = &mut self.state.conversation {
            conversation.push(&item);
        }
        self.state.items.push(item);
        Ok(())
    }

    async fn request(
        &mut self,
        text: String,
        max_steps: u32,
        client: &ModelClient,
    ) -> Result<RunOutcome, Failure> {
        if self.state.items.is_empty() {
            let prompt = super::prompt::system(
                self.state.mode,
                self.context.workspace.as_ref().map(|folder| folder.path()),
            );
            self.remember(HistoryItem::System { text: prompt }).await?;
        }
        self.remember(HistoryItem::User { text: text.clone() })
            .await?;
        self.event(EventMsg::RunStarted {
            run: self.inputs.run.clone(),
            text,
            max_steps,
        })
        .await?;
        if std::mem::take(&mut self.state.memory_lost) {
            self.event(EventMsg::Notice {
                run: self.inputs.run.clone(),
                notice: NoticeKind::MemoryLost,
                message: "The private record of this session is gone, so the model remembers nothing of it. What \
                          was said is still shown; tell the model what it must know."
                    .to_owned(),
            })
            .await?;
        }
        // Other settings may have come since the last run.
        let suits = |conversation: &Conversation| conversation.suits(client);
        if !self.state.conversation.as_ref().is_some_and(suits) {
            let mut conversation = Conversation::new(client);
            for item in &self.state.items {
                conversation.push(item);
            }
            self.state.conversation = Some(conversation);
        }
        let tools = client.encode_tools(self.snapshot.descriptions());
        while self.steps < max_steps {
            self.steps += 1;
            let reply = match step::ask(self, self.steps, client, &tools).await? {
                StepEnd::Reply(reply) => reply,
                StepEnd::Failed { failure, text } => {
                    self.close(&text, "The run failed before this was run.")
                        .await?;
                    return Ok(RunOutcome::Failed { failure });
                }
                StepEnd::Cancelled { text } => {
                    self.close(&text, "The user cancelled the run before this was run.")
                        .await?;
                    return Ok(RunOutcome::Cancelled);
                }
            };
            self.usage = self.usage.plus(reply.usage);
            let calls: Vec<CallRequest> = reply
                .turn
                .calls
                .iter()
                .map(|call| CallRequest {
                    call: CallId::new(call.id.clone()),
                    tool: call.name.clone(),
                    arguments: call.arguments.clone(),
                })
                .collect();
            self.remember(HistoryItem::Assistant(reply.turn)).await?;
            if calls.is_empty() {
                if reply.cut_off {
                    self.say_cut_off().await?;
                }
                return Ok(RunOutcome::Done);
            }
            match batch::carry_out(self, self.steps, calls, reply.cut_off).await? {
                BatchEnd::Answered if !self.inputs.cancel.is_cancelled() => {}
                BatchEnd::Answered | BatchEnd::Cancelled => {
                    self.close("", "The user cancelled the run before this was run.")
                        .await?;
                    return Ok(RunOutcome::Cancelled);
                }
                BatchEnd::GuardStopped { tool, times } => {
                    self.close("", "The run was stopped before this was run: the same call came again and again.")
                        .await?;
                    return Ok(RunOutcome::GuardStopped { tool, times });
                }
            }
        }
        Ok(RunOutcome::BudgetSpent { max_steps })
    }

    async fn single_call(
        &mut self,
        tool: String,
        arguments: String,
    ) -> Result<RunOutcome, Failure> {
        self.event(EventMsg::RunStarted {
            run: self.inputs.run.clone(),
            text: String::new(),
            max_steps: 0,
        })
        .await?;
        let call = CallRequest {
            call: CallId::new("call"),
            tool,
            arguments,
        };
        Ok(match batch::carry_out(self, 0, vec![call], false).await? {
            BatchEnd::Answered => RunOutcome::Done,
            BatchEnd::Cancelled => RunOutcome::Cancelled,
            BatchEnd::GuardStopped { tool, times } => RunOutcome::GuardStopped { tool, times },
        })
    }

    /// The answer ended at the model's output limit. One that says nothing has failed in the adapter.
    async fn say_cut_off(&self) -> Result<(), Failure> {
        self.event(EventMsg::Notice {
            run: self.inputs.run.clone(),
            notice: NoticeKind::OutputLimit,
            message: "The answer was cut off at the model's output limit.".to_owned(),
        })
        .await
    }

    /// Leaves the history in a state from which the next request can go on.
    async fn close(&mut self, partial: &str, why: &str) -> Result<(), Failure> {
        let why = if self.inputs.stopping.is_cancelled() {
            "The program ended before this was run."
        } else {
            why
        };
        for item in history::closers(&self.state.items, partial, |_| why.to_owned()) {
            self.remember(item).await?;
        }
        Ok(())
    }

    pub(super) async fn event(&self, msg: EventMsg) -> Result<(), Failure> {
        self.inputs.journal.event(msg).await
    }
}
