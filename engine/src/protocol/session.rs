//! What a list of sessions shows.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::SessionId;

/// What a session may do; decides its tools and its permissions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Mode {
    /// The document assistant: file tools inside one folder, every change asks.
    #[default]
    Chat,
}

impl Mode {
    /// Every mode, in the order a menu shows them.
    pub const ALL: &[Self] = &[Self::Chat];

    /// The mode's name on the command line and in the settings file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chat => "chat",
        }
    }
}

/// One row of the session list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionSummary {
    /// The session.
    pub id: SessionId,
    /// Its title: the user's, or the first message's first line.
    pub title: String,
    /// The folder it works on; `None` is a conversation without files.
    pub folder: Option<PathBuf>,
    /// Its mode.
    pub mode: Mode,
    /// When it was made, in milliseconds since 1970 (UTC).
    pub created_at: u64,
    /// When it was last used, in milliseconds since 1970 (UTC): made, asked something, or done with that. A new
    /// name is no use.
    pub updated_at: u64,
    /// How many runs it has had.
    pub runs: u64,
    /// Whether a run of it has not ended yet.
    pub running: bool,
}

/// One place where a search found its words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchHit {
    /// The session that holds the place.
    pub session: SessionId,
    /// That session's title.
    pub title: String,
    /// Who wrote it: `user` or `assistant`.
    pub role: String,
    /// The words around the hit, at most about 160 characters.
    pub snippet: String,
    /// When it was said, in milliseconds since 1970 (UTC).
    pub at: u64,
}
