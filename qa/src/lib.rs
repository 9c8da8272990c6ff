//! The scripted model of Wisp: a simulation of a model server, and the scenarios it plays.
//!
//! [`Simulator`] listens on loopback, speaks DeepSeek's chat-completions stream and answers from
//! [`Scenario`]s instead of a model; it calls itself `wisp-scripted` in every reply. It checks each
//! request it gets and refuses those that a real server would refuse, or that break a promise of the
//! engine (an unchanged prefix, every call answered, reasoning returned). [`check`] compares what the
//! engine reported and left on disk with what a scenario expects.
//!
//! This package knows the engine's protocol and nothing else of it, and the engine knows nothing of
//! this package: what passes between them is HTTP, as with any other model server.
#![cfg_attr(
    test,
    allow(
        clippy::disallowed_methods,
        reason = "tests make files and watch the clock by themselves"
    )
)]

mod pages;
mod report;
mod scenario;
mod simulator;
mod workspace;

pub use pages::{PAGES, Page, page};
pub use report::{Line, Report, check};
pub use scenario::{
    Call, Choice, Chunk, Expectations, ExpectedCall, Fault, FilesAfter, Hold, Outcome, Repeat,
    Scenario, ScenarioError, Stream, Times, Turn, TurnUsage, builtin,
};
pub use simulator::{
    Delivery, Log, MAX_BODY_BYTES, MODEL_NAME, RequestLog, Rule, Simulator, Violation,
};
pub use workspace::{WorkspaceEntry, WorkspaceError, lay, parse as parse_workspace};
