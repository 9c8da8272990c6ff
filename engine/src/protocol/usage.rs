//! What a model request cost.

use serde::{Deserialize, Serialize};

/// Tokens of one model request, or summed over a run. The provider's own figures; zero where it gave
/// none. Every token is counted in exactly one of `input` and `cached`, and reasoning is part of
/// `output`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Prompt tokens that the provider had to read anew.
    pub input: u64,
    /// Prompt tokens that the provider's prefix cache held.
    pub cached: u64,
    /// Tokens that the model wrote, reasoning included.
    pub output: u64,
    /// How many of `output` were reasoning.
    pub reasoning: u64,
}

impl Usage {
    /// This and another request's tokens together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            cached: self.cached.saturating_add(other.cached),
            output: self.output.saturating_add(other.output),
            reasoning: self.reasoning.saturating_add(other.reasoning),
        }
    }
}
