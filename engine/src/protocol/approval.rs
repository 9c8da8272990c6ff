//! A question about one call, whole, and its answer.

use serde::{Deserialize, Serialize};

use super::{ApprovalId, CallId};

/// What a person must see before saying yes. Nothing in it is cut.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ApprovalRequest {
    /// The question's id; the [`Decision`] names it.
    pub id: ApprovalId,
    /// The call it is about.
    pub call: CallId,
    /// The tool that wants to run.
    pub tool: String,
    /// What will happen, in one English sentence.
    pub sentence: String,
    /// Where: the real path, or the address.
    pub target: String,
    /// The whole content, in the order to show it. The call's whole arguments are in
    /// [`CallsRequested`](super::EventMsg::CallsRequested) besides.
    pub details: Vec<Detail>,
}

/// One part of a card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Detail {
    /// A short fact.
    Fact {
        /// What it is.
        label: DetailLabel,
        /// The fact.
        value: String,
    },
    /// A text to read, whole.
    Text {
        /// What it is.
        label: DetailLabel,
        /// The text.
        text: String,
    },
    /// A change of text.
    Change {
        /// The text that goes.
        old: String,
        /// The text that comes.
        new: String,
        /// The lines it stands in, as they are and as they will be.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        lines: Option<ChangedLines>,
    },
}

/// The whole lines that a change touches, with a few around them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedLines {
    /// The number of the first one, counted from 1.
    pub first: usize,
    /// The lines now.
    pub old: String,
    /// The lines afterwards.
    pub new: String,
}

/// What a part of a card is; a client has a word for each in its language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DetailLabel {
    /// The whole new content of a file.
    Content,
    /// SHA-256 of the file as it is now.
    Digest,
    /// Size in bytes.
    Bytes,
    /// Where it comes from.
    From,
    /// Where it goes.
    To,
    /// How many files and folders it touches.
    Entries,
    /// Something the person should know before deciding.
    Warning,
}

impl DetailLabel {
    /// The English word.
    pub fn english(self) -> &'static str {
        match self {
            Self::Content => "content",
            Self::Digest => "sha256",
            Self::Bytes => "bytes",
            Self::From => "from",
            Self::To => "to",
            Self::Entries => "entries",
            Self::Warning => "note",
        }
    }
}

/// The answer to an [`ApprovalRequest`]. It counts once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "decision", rename_all = "snake_case")]
pub enum Decision {
    /// Do it, this once.
    Approve,
    /// Don't.
    Deny {
        /// Why, for the model.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        reason: Option<String>,
    },
}

/// Who or what answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecisionSource {
    /// A person, or a client on a person's standing word.
    User,
    /// The run ended while the question was open.
    RunEnded,
}
