//! What the engine tells its clients.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{
    ApprovalId, ApprovalRequest, CallId, CallReport, CallRequest, Decision, DecisionSource,
    EventId, Failure, Mode, Preview, RunId, Saved, SearchHit, SessionId, SessionSummary,
    SubmissionId, Ticket, TicketId, ToolDescription, Usage,
};

/// One thing on the queue from the engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "update", rename_all = "snake_case")]
pub enum Update {
    /// Something happened in a session. It is in the store already.
    Event(Event),
    /// The answer to a submission. Not stored.
    Answer {
        /// The submission it answers.
        re: SubmissionId,
        /// The answer.
        answer: Answer,
    },
    /// A tool needs the window. Not stored.
    Ticket {
        /// What for.
        ticket: Ticket,
    },
    /// A ticket is no longer waited for: a question that is on screen for it goes away. Not stored.
    TicketDropped {
        /// The session.
        session: SessionId,
        /// The ticket.
        ticket: TicketId,
    },
    /// The store can't take events any more. Not stored, for that reason.
    Alarm {
        /// What happened.
        failure: Failure,
    },
}

/// What a submission is answered with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum Answer {
    /// Done.
    Ok,
    /// Not done, and nothing changed.
    Refused {
        /// Why.
        failure: Failure,
    },
    /// The session, with its events so far.
    SessionReady {
        /// The session.
        session: SessionSummary,
        /// All its events, oldest first.
        events: Vec<Event>,
    },
    /// The run goes on; events follow.
    RunAccepted {
        /// The session.
        session: SessionId,
        /// The run.
        run: RunId,
    },
    /// The list of sessions.
    Sessions {
        /// The last used first.
        sessions: Vec<SessionSummary>,
    },
    /// Where the words were found.
    Hits {
        /// The newest first.
        hits: Vec<SearchHit>,
    },
    /// What a path names.
    Preview {
        /// It.
        preview: Preview,
    },
    /// What became of the person's change.
    Saved {
        /// It.
        saved: Saved,
    },
    /// The tool list.
    Tools {
        /// Sorted by name.
        tools: Vec<ToolDescription>,
    },
}

/// Something that happened in a session. Append-only: an event is never changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// The store's number.
    pub id: EventId,
    /// The session.
    pub session: SessionId,
    /// When, in milliseconds since 1970 (UTC).
    pub at: u64,
    /// What.
    #[serde(flatten)]
    pub msg: EventMsg,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum EventMsg {
    /// The session was made.
    SessionCreated {
        /// Its folder, as resolved.
        folder: Option<PathBuf>,
        /// Its mode.
        mode: Mode,
    },
    /// The session got a title.
    SessionRenamed {
        /// The title.
        title: String,
    },
    /// The user asked for something.
    RunStarted {
        /// The run.
        run: RunId,
        /// The user's words; empty for a single tool call without a model.
        text: String,
        /// How many steps it may take.
        max_steps: u32,
    },
    /// A model request begins.
    StepStarted {
        /// The run.
        run: RunId,
        /// Counted from 1.
        step: u32,
    },
    /// The model request failed before its first token and is sent again.
    RequestRetry {
        /// The run.
        run: RunId,
        /// The step.
        step: u32,
        /// The try that follows, counted from 2.
        attempt: u32,
        /// How long it waits before, in milliseconds.
        wait_millis: u64,
        /// Why.
        failure: Failure,
    },
    /// The model is thinking. A sign of life without its text.
    ReasoningActive {
        /// The run.
        run: RunId,
        /// The step.
        step: u32,
    },
    /// Nothing has come for a while.
    StillWaiting {
        /// The run.
        run: RunId,
        /// The step.
        step: u32,
        /// For how long, in seconds.
        seconds: u64,
    },
    /// A piece of the answer.
    TextDelta {
        /// The run.
        run: RunId,
        /// The step.
        step: u32,
        /// The piece.
        text: String,
    },
    /// The model began to write a call.
    CallAnnounced {
        /// The run.
        run: RunId,
        /// The step.
        step: u32,
        /// The tool it names.
        tool: String,
    },
    /// The model's reply of a step is whole.
    StepFinished {
        /// The run.
        run: RunId,
        /// The step.
        step: u32,
        /// Its whole text, empty when it only made calls.
        text: String,
        /// What it cost.
        usage: Usage,
        /// From request to end, in milliseconds.
        millis: u64,
    },
    /// The batch of calls that a reply asked for. They are taken up in this order, one at a time; one
    /// that has neither started nor finished when the run ends was never run.
    CallsRequested {
        /// The run.
        run: RunId,
        /// The step; 0 for a call without a model.
        step: u32,
        /// The calls.
        calls: Vec<CallRequest>,
    },
    /// A call is taken up.
    CallStarted {
        /// The run.
        run: RunId,
        /// The step.
        step: u32,
        /// The call.
        call: CallId,
        /// The tool.
        tool: String,
    },
    /// A call waits for the user.
    ApprovalRequested {
        /// The run.
        run: RunId,
        /// The step.
        step: u32,
        /// The question.
        approval: ApprovalRequest,
    },
    /// A question was answered.
    ApprovalResolved {
        /// The run.
        run: RunId,
        /// The question.
        approval: ApprovalId,
        /// The call.
        call: CallId,
        /// The answer.
        decision: Decision,
        /// By whom.
        source: DecisionSource,
    },
    /// A call ended.
    CallFinished {
        /// The run.
        run: RunId,
        /// The step.
        step: u32,
        /// The call.
        call: CallId,
        /// The tool.
        tool: String,
        /// How.
        report: CallReport,
    },
    /// Something the person should know, which ends nothing.
    Notice {
        /// The run.
        run: RunId,
        /// What.
        notice: NoticeKind,
        /// In one English sentence.
        message: String,
    },
    /// The run ended.
    RunFinished {
        /// The run.
        run: RunId,
        /// How.
        outcome: RunOutcome,
        /// Whether a call that changes something was asked for. Such a run is never tried again by
        /// itself: the user looks first.
        side_effects: bool,
        /// The steps it took.
        steps: u32,
        /// What it cost in all.
        usage: Usage,
        /// From start to end, in milliseconds.
        millis: u64,
    },
}

/// What a notice is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoticeKind {
    /// The answer was cut at the model's output limit.
    OutputLimit,
    /// The model's reply was empty and is asked for once more.
    EmptyReply,
    /// The provider refused the reasoning that was sent back; asked once more without.
    ReasoningRefused,
    /// A call of an interrupted or stopped run may or may not have happened.
    UnknownOutcome,
    /// The model's own record of the session is gone, so it remembers nothing of it.
    MemoryLost,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum RunOutcome {
    /// A reply without calls, or the one tool call.
    Done,
    /// It couldn't go on.
    Failed {
        /// Why.
        failure: Failure,
    },
    /// All steps were used.
    BudgetSpent {
        /// How many.
        max_steps: u32,
    },
    /// The model made the same call again and again.
    GuardStopped {
        /// The tool.
        tool: String,
        /// How often in a row.
        times: u32,
    },
    /// The user ended it.
    Cancelled,
    /// The program ended during it. Nothing of it is repeated.
    Interrupted,
}

impl EventMsg {
    /// The run that the event belongs to, if it belongs to one.
    pub fn run(&self) -> Option<&RunId> {
        match self {
            Self::SessionCreated { .. } | Self::SessionRenamed { .. } => None,
            Self::RunStarted { run, .. }
            | Self::StepStarted { run, .. }
            | Self::RequestRetry { run, .. }
            | Self::ReasoningActive { run, .. }
            | Self::StillWaiting { run, .. }
            | Self::TextDelta { run, .. }
            | Self::CallAnnounced { run, .. }
            | Self::StepFinished { run, .. }
            | Self::CallsRequested { run, .. }
            | Self::CallStarted { run, .. }
            | Self::ApprovalRequested { run, .. }
            | Self::ApprovalResolved { run, .. }
            | Self::CallFinished { run, .. }
            | Self::Notice { run, .. }
            | Self::RunFinished { run, .. } => Some(run),
        }
    }
}
