//! The state of the QA panel: which entry is chosen, the live scenario that goes on, the results so far, and
//! the sample that is drawn from memory.

mod live;
mod report;
mod sample;

pub use live::{Batch, LiveResult, LiveRun, Qa, Shown, Stage};
pub use report::{json, markdown};
pub use sample::{Play, Reaction, SampleSession, Script, Timed, is_sample};

#[cfg(test)]
mod tests;
