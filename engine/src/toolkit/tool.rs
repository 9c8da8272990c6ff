//! The shape of a tool.

use std::future::Future;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::permission::{Access, Permit};
use crate::protocol::Detail;

use super::{ToolContext, ToolResult};

/// One tool. Everything but [`Tool::run`] is free of effects.
pub(crate) trait Tool: Send + Sync + 'static {
    /// Its arguments; the doc comments are what the model reads.
    type Input: DeserializeOwned + JsonSchema + Serialize + Send;
    /// What [`Tool::prepare`] found out and [`Tool::run`] does: resolved paths, bound fingerprints.
    type Plan: Send;
    /// What it gives back; becomes JSON for the model.
    type Output: Serialize;

    /// The name the model calls it by: the name of its file.
    const NAME: &'static str;
    /// What it is for, in the words the model reads.
    const DESCRIPTION: &'static str;
    /// What a call touches at the most. The snapshot tells by it whether a call asks.
    const ACCESS: Access;
    /// Whether it exists only in a session with a folder.
    const NEEDS_FOLDER: bool;
    /// Whether an argument that it doesn't know is an error; otherwise it is passed over with a note.
    const STRICT_ARGUMENTS: bool = false;

    /// Checks the arguments, resolves paths, looks at what is there and binds to it what `run` will
    /// check again. A changing tool gives a card.
    fn prepare(
        &self,
        input: Self::Input,
        context: &ToolContext,
    ) -> impl Future<Output = ToolResult<Prepared<Self::Plan>>> + Send;

    /// Does it. Takes the permit by value: one permit, one run.
    fn run(
        &self,
        plan: Self::Plan,
        permit: Permit,
        context: &ToolContext,
    ) -> impl Future<Output = ToolResult<Self::Output>> + Send;
}

/// A call that is ready to run, once it may.
#[derive(Debug)]
pub(crate) struct Prepared<P> {
    /// What will be done.
    pub(crate) plan: P,
    /// What the user is shown where the rules say ask. A reading tool has none.
    pub(crate) card: Option<Card>,
}

impl<P> Prepared<P> {
    /// For a tool that never asks.
    pub(crate) fn silent(plan: P) -> Self {
        Self { plan, card: None }
    }

    /// For a tool that asks.
    pub(crate) fn asking(plan: P, card: Card) -> Self {
        Self {
            plan,
            card: Some(card),
        }
    }
}

/// What the user is shown.
#[derive(Clone, Debug)]
pub(crate) struct Card {
    /// What will happen, in one English sentence.
    pub(crate) sentence: String,
    /// Where: the real path.
    pub(crate) target: String,
    /// The whole content, in the order to show it.
    pub(crate) details: Vec<Detail>,
}
