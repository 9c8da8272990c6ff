//! What a client asks of the engine.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{ApprovalId, Decision, Mode, RunId, SessionId, SubmissionId, TicketId, TicketOutcome};

/// One request of a client. Exactly one [`Answer`](super::Answer) with the same id follows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Submission {
    /// The client's number for it.
    pub id: SubmissionId,
    /// What is asked.
    pub op: Op,
}

/// What can be asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Op {
    /// Makes a session. Answered by `SessionReady`.
    CreateSession {
        /// The folder it works on; without one it has no file tools.
        folder: Option<PathBuf>,
        /// Its mode.
        mode: Mode,
    },
    /// Reads a session with all its events. Answered by `SessionReady`.
    OpenSession {
        /// The session.
        session: SessionId,
    },
    /// Gives a session a title.
    RenameSession {
        /// The session.
        session: SessionId,
        /// The title; an empty one is refused.
        title: String,
    },
    /// Deletes a session, its events and its private data. Refused while a run goes on.
    DeleteSession {
        /// The session.
        session: SessionId,
    },
    /// Lists sessions, the last used first. Answered by `Sessions`.
    ListSessions,
    /// Looks for words in what was said; of a text over 200,000 bytes in its beginning. Answered by `Hits`.
    SearchSessions {
        /// The words, taken literally.
        query: String,
        /// How many hits at most.
        limit: u32,
    },
    /// Starts a run. Answered by `RunAccepted`; its end is an event.
    StartRun {
        /// The session.
        session: SessionId,
        /// The user's words, of at most [`MAX_MESSAGE_BYTES`](crate::MAX_MESSAGE_BYTES); more are refused.
        text: String,
        /// How it differs from the settings.
        options: RunOptions,
    },
    /// Runs one tool without a model, through the same dispatcher. Answered by `RunAccepted`.
    CallTool {
        /// The session.
        session: SessionId,
        /// The tool.
        tool: String,
        /// Its arguments, as a model would write them: JSON text.
        arguments: String,
    },
    /// Answers an approval.
    Decide {
        /// The session.
        session: SessionId,
        /// The question.
        approval: ApprovalId,
        /// The answer.
        decision: Decision,
    },
    /// Ends a run in whatever phase it is.
    CancelRun {
        /// The session.
        session: SessionId,
        /// The run; `None` is the one that goes on now.
        run: Option<RunId>,
    },
    /// Takes a ticket up. `Ok` is given once, and only in time: the client then does what the ticket says and
    /// tells how it went. Refused, the client does nothing.
    ClaimTicket {
        /// The session on whose behalf.
        session: SessionId,
        /// The ticket.
        ticket: TicketId,
    },
    /// Tells how a claimed ticket went. Refused when it is no longer waited for.
    FinishTicket {
        /// The session on whose behalf.
        session: SessionId,
        /// The ticket.
        ticket: TicketId,
        /// How.
        outcome: TicketOutcome,
    },
    /// Reads a file or folder of the session's folder for the person to look at. Answered by `Preview`.
    ReadPreview {
        /// The session.
        session: SessionId,
        /// The path, relative to the session's folder; `.` is the folder itself.
        path: String,
    },
    /// Keeps the person's own change of a text file, when the file is still the one that was read. Answered by
    /// `Saved`.
    SavePreview {
        /// The session.
        session: SessionId,
        /// The path, relative to the session's folder.
        path: String,
        /// The whole new text; the file's byte order mark and line ends stay.
        text: String,
        /// The digest that the file had when it was read.
        sha256: String,
    },
    /// The tools that a run of such a session would have. Answered by `Tools`.
    ListTools {
        /// The mode.
        mode: Mode,
        /// Whether the session has a folder.
        folder: bool,
    },
}

/// How one run differs from the settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunOptions {
    /// Its step budget; `None` is the settings' one.
    pub max_steps: Option<u32>,
}
