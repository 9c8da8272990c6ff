//! Exit statuses.

use std::process::ExitCode;

use wisp_engine::protocol::{Failure, FailureKind, RunOutcome};

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    Done = 0,
    Failed = 1,
    Usage = 2,
    Stopped = 3,
    Cancelled = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// The status of a run's end.
pub(super) fn of_outcome(outcome: &RunOutcome) -> Exit {
    match outcome {
        RunOutcome::Done => Exit::Done,
        RunOutcome::Failed { .. } | RunOutcome::Interrupted => Exit::Failed,
        RunOutcome::BudgetSpent { .. } | RunOutcome::GuardStopped { .. } => Exit::Stopped,
        RunOutcome::Cancelled => Exit::Cancelled,
    }
}

/// The status of an error: a wrong request or setting is the caller's, the rest are failures.
pub(super) fn of_error(error: &anyhow::Error) -> Exit {
    match error.downcast_ref::<Failure>() {
        Some(failure)
            if matches!(
                failure.kind,
                FailureKind::BadSubmission | FailureKind::Settings
            ) =>
        {
            Exit::Usage
        }
        _ if error.is::<UsageError>() => Exit::Usage,
        _ => Exit::Failed,
    }
}

/// Arguments that clap can't judge.
#[derive(Debug)]
pub(super) struct UsageError(pub(super) String);

impl std::fmt::Display for UsageError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}
