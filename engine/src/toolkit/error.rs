//! The two classes of tool errors: what the model reads, and what ends the run.

use crate::protocol::{TicketOutcome, ToolErrorKind, ToolFailure};

/// What a tool's steps give.
pub(crate) type ToolResult<T> = Result<T, ToolError>;

/// Why a call came to nothing.
#[derive(Debug)]
pub(crate) enum ToolError {
    /// For the model: it can try something else.
    Model(ToolFailure),
    /// The run was cancelled. Never told to the model as something to go on from.
    Cancelled,
}

impl ToolError {
    /// For the model, of a class.
    pub(crate) fn new(kind: ToolErrorKind, message: impl Into<String>) -> Self {
        Self::Model(ToolFailure {
            kind,
            message: message.into(),
        })
    }

    /// A rule forbids it, whoever approves.
    pub(crate) fn refused(message: impl Into<String>) -> Self {
        Self::new(ToolErrorKind::Refused, message)
    }

    /// The arguments make no sense.
    pub(crate) fn bad_arguments(message: impl Into<String>) -> Self {
        Self::new(ToolErrorKind::BadArguments, message)
    }

    /// It changed since it was looked at.
    pub(crate) fn conflict(message: impl Into<String>) -> Self {
        Self::new(ToolErrorKind::Conflict, message)
    }

    /// There is nothing like that.
    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(ToolErrorKind::NotFound, message)
    }

    /// It is over a limit.
    pub(crate) fn too_large(message: impl Into<String>) -> Self {
        Self::new(ToolErrorKind::TooLarge, message)
    }

    /// The window answered something else than what it was asked.
    pub(crate) fn unexpected(outcome: &TicketOutcome) -> Self {
        tracing::error!(?outcome, "a ticket was answered with something else");
        Self::failed(
            "The window answered something else than what it was asked. Nothing is known of it.",
        )
    }

    /// The system said no.
    pub(crate) fn failed(message: impl Into<String>) -> Self {
        Self::new(ToolErrorKind::Failed, message)
    }
}
