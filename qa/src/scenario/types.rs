//! A scenario as its file holds it.
//!
//! The fields are the file's keys, so that this type is the format's description. It knows nothing of
//! HTTP; how a turn becomes a stream is the simulator's business.

use serde::Deserialize;
use wisp_engine::protocol::Mode;

use super::{Expectations, Turn};

/// One scenario: a prompt, the replies that the scripted model gives to it, and what must come of it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Its name, the file's name without `.toml`.
    pub name: String,
    /// What it shows, in a few words.
    pub title: String,
    /// What a user's message must contain for this scenario to be played, as `[demo:multi]`; an `N`
    /// as in `[bench:N]` stands for a number. Without a tag it is played when no tag is found.
    pub tag: Option<String>,
    /// What the user types. It contains the tag.
    pub prompt: String,
    /// The session's mode.
    #[serde(default)]
    pub mode: Mode,
    /// The session's folder as one text with `//- /path` headers; without it there is no folder.
    pub workspace: Option<String>,
    /// The user's answers to the approvals, in order; what is not listed is approved.
    #[serde(default)]
    pub decisions: Vec<Choice>,
    /// The run's step budget, when the scenario needs another than the default.
    pub max_steps: Option<u32>,
    /// The bearer key that the server wants; any other is answered with 401.
    pub require_key: Option<String>,
    /// The other form of the provider's rule: after the first reply a request is refused unless it
    /// carries no reasoning and doesn't ask for thinking.
    #[serde(default)]
    pub refuse_reasoning: bool,
    /// The model's replies, in order.
    pub turns: Vec<Turn>,
    /// What must come of it.
    pub expect: Expectations,
}

/// The user's answer to an approval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// Yes.
    Approve,
    /// No.
    Deny,
}

impl Scenario {
    /// Whether a user's message names it by its tag.
    pub fn is_named_in(&self, message: &str) -> bool {
        self.tag
            .as_deref()
            .is_some_and(|tag| super::find_tag(message, tag).is_some())
    }

    /// The user's answer to the approval with this number, counted from 0.
    pub fn decision(&self, approval: usize) -> Choice {
        self.decisions
            .get(approval)
            .copied()
            .unwrap_or(Choice::Approve)
    }

    /// The reply with this number, counted from 0, and its round within its repetition, counted from
    /// 1; `None` after the last one. `rounds` is the number in the tag of the user's message.
    pub(crate) fn turn(&self, number: u32, rounds: u32) -> Option<(&Turn, u32)> {
        let mut left = number;
        for turn in &self.turns {
            let count = turn.repeat.count(rounds);
            if left < count {
                return Some((turn, left.saturating_add(1)));
            }
            left -= count;
        }
        None
    }
}
