//! What panels ask for. Carried out after the frame, one after another, by `window::run_command`.

use std::path::PathBuf;

use wisp_engine::protocol::{ApprovalId, Decision, RunId, SessionId, TabId, TicketId};

use super::{Command, TabCommand};
use crate::state::Page;
use crate::state::folds::FoldKey;
use crate::state::preferences::Preferences;
use crate::state::qa::Shown;

/// One wish of the QA panel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QaCommand {
    /// Shows something on its right side.
    Show(Shown),
    /// Plays a live scenario; `by_itself`: with the scenario's own answers.
    Run {
        /// The scenario.
        name: String,
        /// Whether nobody is asked.
        by_itself: bool,
    },
    /// Plays all live scenarios.
    RunAll,
    /// Ends what goes on.
    Stop,
    /// Keeps a report of the results.
    Export,
    /// Starts the simulation without leaving the panel.
    StartSimulation,
}

/// One wish about a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageWish {
    /// To this address.
    Go(String),
    /// One back.
    Back,
    /// One forward.
    Forward,
    /// Again.
    Reload,
    /// No further.
    Stop,
    /// Opens the search in the page.
    OpenFind,
    /// Looks for words, onwards or back.
    Find {
        /// The words.
        words: String,
        /// Onwards, or back.
        forward: bool,
    },
    /// Ends the search.
    CloseFind,
    /// Larger.
    ZoomIn,
    /// Smaller.
    ZoomOut,
    /// As it comes.
    ZoomReset,
    /// Gives it the keyboard.
    Focus,
    /// Goes on with the page that is still there, after it asked for something that was not opened.
    GoOn,
    /// Answers a download's question.
    Download {
        /// The download.
        download: u64,
        /// Whether it may.
        allow: bool,
    },
    /// Answers whether to leave a page that something was typed into.
    Leave {
        /// The tool's ticket, when a tool wants it.
        ticket: Option<TicketId>,
        /// Whether to leave.
        leave: bool,
    },
}

/// One wish.
#[derive(Clone, Debug, PartialEq)]
pub enum UiCommand {
    /// One of the list.
    Run(Command),
    /// Shows a page.
    Show(Page),
    /// Shows a session.
    OpenSession(SessionId),
    /// Shows the empty chat of a new session on this folder.
    NewSession {
        /// The folder.
        folder: Option<PathBuf>,
    },
    /// Asks for a session's new title.
    AskRename(SessionId),
    /// Gives a session a title.
    Rename {
        /// The session.
        session: SessionId,
        /// The title.
        title: String,
    },
    /// Deletes a session after the time to undo it.
    Delete(SessionId),
    /// Brings a deleted session back.
    Undelete(SessionId),
    /// Searches all sessions; no words end the search.
    Search(String),
    /// Sends the draft of what is on screen, or queues it while a run goes on.
    Send,
    /// Sends this text in the session on screen.
    SendText(String),
    /// Puts this text into the field, to be looked over.
    EditAgain(String),
    /// Takes a message out of the queue and back into the field.
    Unqueue(usize),
    /// Ends the run that goes on and sends this queued message.
    SendQueuedNow(usize),
    /// Answers a question.
    Decide {
        /// The session.
        session: SessionId,
        /// The question.
        approval: ApprovalId,
        /// The answer.
        decision: Decision,
    },
    /// Shows the session of another question.
    ShowApproval(ApprovalId),
    /// Opens or folds.
    Fold(FoldKey, bool),
    /// Scrolls to a run of the session on screen.
    ScrollToRun(RunId),
    /// Reads a picture of the session's own files.
    LoadPicture {
        /// The session.
        session: SessionId,
        /// The picture, relative to the session's folder.
        address: String,
    },
    /// Puts words on the clipboard.
    Copy(String),
    /// Puts a path on the clipboard and says so.
    CopyPath(String),
    /// Asks whether to open an address outside.
    AskLink(String),
    /// Opens an address outside, after the question.
    OpenLink(String),
    /// Takes a toast away.
    Dismiss(u64),
    /// Changes how the window is.
    Prefer(Preferences),
    /// Changes settings of the engine: key and new value; `None` takes the setting out.
    ChangeSettings(Vec<(String, Option<String>)>),
    /// Keeps the model key; an empty one is removed.
    SetKey(String),
    /// Starts the engine: on the scripted model or on the real one.
    StartEngine {
        /// On the scripted model.
        simulate: bool,
    },
    /// Starts the engine that could not start once more.
    StartAgain,
    /// Moves a settings file aside that makes no sense.
    MoveSettingsAside,
    /// Closes the window with files that were not saved.
    QuitAnyway,
    /// Something at the right.
    Tab(TabCommand),
    /// Something with a tab's web page.
    Page {
        /// The tab.
        tab: TabId,
        /// What.
        wish: PageWish,
    },
    /// Something in the QA panel.
    Qa(QaCommand),
}
