//! What a model request tells while it goes on.

use std::time::Duration;

use crate::protocol::{Failure, NoticeKind, Usage};

use super::item::AssistantTurn;

/// One thing that happened to a model request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ModelEvent {
    /// It failed before its first token and is sent again after a wait.
    Retry {
        /// The try that follows, counted from 2.
        attempt: u32,
        /// How long it waits before.
        wait: Duration,
        /// Why.
        failure: Failure,
    },
    /// The model is thinking. A sign of life without its text.
    ReasoningActive,
    /// Nothing that counts has come for a while.
    StillWaiting {
        /// For how long.
        seconds: u64,
    },
    /// A piece of the answer.
    Text(String),
    /// The model began to write a call.
    CallAnnounced {
        /// The tool it names.
        tool: String,
    },
    /// Something the person should know, which ends nothing.
    Notice(NoticeKind, String),
    /// The reply is whole. The last event.
    Finished(Reply),
    /// There is no reply, or only a part. The last event.
    Failed {
        /// Why.
        failure: Failure,
        /// The text that had come until then; what was shown stays.
        text: String,
    },
}

/// A whole reply.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reply {
    /// What goes into the history.
    pub(crate) turn: AssistantTurn,
    /// What it cost, an empty first answer included.
    pub(crate) usage: Usage,
    /// Why the model stopped.
    pub(crate) finish: Finish,
}

/// Why the model stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Finish {
    /// It had said everything.
    Stop,
    /// It waits for the results of its calls. Only with calls in the turn.
    Calls,
    /// It reached its output limit. Calls in the turn may be cut: they must not run.
    Length,
    /// Another reason, in the server's word; empty when it gave none. An end like any other.
    Unknown(String),
}
