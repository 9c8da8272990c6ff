//! What is folded and what is open. A step that goes on, asks or went wrong is open by itself; one that went
//! well is folded. What the person opened or folded stays so.

use std::collections::HashMap;

use wisp_engine::protocol::{CallId, RunId};

use super::transcript::{Call, Run, Step, StepState};

/// In a batch of so many calls a failed one does not open by itself.
const MANY: usize = 12;

/// What can be folded.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FoldKey {
    /// A step of a run.
    Step(RunId, u32),
    /// A call's body: its run, its step, itself.
    Call(RunId, u32, CallId),
}

/// What the person opened or folded.
#[derive(Debug, Default)]
pub struct Folds {
    set: HashMap<FoldKey, bool>,
    /// Grows with every change.
    pub revision: u64,
}

impl Folds {
    /// Whether a step is open.
    pub fn step_is_open(&self, run: &RunId, step: u32, state: StepState) -> bool {
        let key = FoldKey::Step(run.clone(), step);
        self.set.get(&key).copied().unwrap_or(match state {
            StepState::Running | StepState::Asking | StepState::Trouble | StepState::Stopped => {
                true
            }
            StepState::Well => false,
        })
    }

    /// Whether a call's body is open. One that went wrong is by itself, in a batch that isn't too long.
    pub fn call_is_open(&self, run: &Run, step: &Step, call: &Call) -> bool {
        let key = FoldKey::Call(run.id.clone(), step.number, call.id.clone());
        let by_itself = || {
            call.has_failed()
                && step.calls.len() < MANY
                && step.state(!run.is_running()) == StepState::Trouble
        };
        self.set.get(&key).copied().unwrap_or_else(by_itself)
    }

    /// Opens or folds.
    pub fn set(&mut self, key: FoldKey, open: bool) {
        self.set.insert(key, open);
        self.revision += 1;
    }
}
