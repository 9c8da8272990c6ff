//! What must come of a scenario.

use std::collections::BTreeMap;

use serde::Deserialize;
use wisp_engine::protocol::{CallStatus, FailureKind, RunOutcome};

/// What must come of a scenario's run.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expectations {
    /// How the run ends.
    pub outcome: Outcome,
    /// Why it failed, with the outcome `failed`.
    pub failure: Option<FailureKind>,
    /// The calls that ended, in order.
    #[serde(default)]
    pub calls: Vec<ExpectedCall>,
    /// Whether more calls may follow those.
    #[serde(default)]
    pub further_calls: bool,
    /// What the answer contains.
    #[serde(default)]
    pub answer: Vec<String>,
    /// What it contains when the user denied everything; by default the same.
    pub answer_denied: Option<Vec<String>>,
    /// How many requests the model server gets, tries included.
    pub requests: u32,
    /// How the folder differs afterwards from the workspace.
    #[serde(default)]
    pub approved: FilesAfter,
    /// How it differs when the user denied everything.
    #[serde(default)]
    pub denied: FilesAfter,
}

/// One or more calls that ended alike.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectedCall {
    /// The tool.
    pub tool: String,
    /// How the call ended.
    pub status: CallStatus,
    /// How it ended when the user denied everything; by default the same.
    pub when_denied: Option<CallStatus>,
    /// How many of them follow each other.
    #[serde(default = "one")]
    pub times: u32,
}

/// What a run did to its folder. What isn't named must be as the workspace laid it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FilesAfter {
    /// Files and their whole text.
    pub files: BTreeMap<String, String>,
    /// New folders, those of new files aside.
    pub folders: Vec<String>,
    /// What is no longer there.
    pub gone: Vec<String>,
}

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// With an answer.
    Done,
    /// With a failure.
    Failed,
    /// With its step budget spent.
    BudgetSpent,
    /// Because the model repeated itself.
    GuardStopped,
    /// By the user.
    Cancelled,
    /// With the program.
    Interrupted,
}

impl Outcome {
    /// The kind of a run's outcome.
    pub fn of(outcome: &RunOutcome) -> Self {
        match outcome {
            RunOutcome::Done => Self::Done,
            RunOutcome::Failed { .. } => Self::Failed,
            RunOutcome::BudgetSpent { .. } => Self::BudgetSpent,
            RunOutcome::GuardStopped { .. } => Self::GuardStopped,
            RunOutcome::Cancelled => Self::Cancelled,
            RunOutcome::Interrupted => Self::Interrupted,
        }
    }

    /// Its name in a scenario file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Failed => "failed",
            Self::BudgetSpent => "budget_spent",
            Self::GuardStopped => "guard_stopped",
            Self::Cancelled => "cancelled",
            Self::Interrupted => "interrupted",
        }
    }
}

fn one() -> u32 {
    1
}
