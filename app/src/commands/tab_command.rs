//! What the right-hand side and the conversation ask for about tabs. They are the tabs of the session on screen.

use wisp_engine::protocol::TabId;

use crate::state::tabs::DiffTab;

/// One wish about tabs.
#[derive(Clone, Debug, PartialEq)]
pub enum TabCommand {
    /// Shows a file of the session's folder.
    OpenFile {
        /// The path inside the folder.
        path: String,
        /// The line to go to, counted from 1.
        line: Option<usize>,
    },
    /// Shows a folder of the session's folder; `.` is that one itself.
    OpenFolder(String),
    /// Shows what a call has changed.
    OpenDiff(DiffTab),
    /// Shows a web page.
    OpenPage(String),
    /// Goes where a new tab's field says: to an address, or to a path inside the folder.
    Go {
        /// The new tab.
        tab: TabId,
        /// What was typed.
        text: String,
    },
    /// Shows one of the recent ones in place of a new tab, by its number.
    Recent {
        /// The new tab.
        tab: TabId,
        /// Its number among the recent ones.
        number: usize,
    },
    /// Brings a tab to the front.
    Show(TabId),
    /// Closes a tab; what isn't kept is asked about.
    Close(TabId),
    /// Closes a tab without a question.
    CloseAnyway(TabId),
    /// Moves a tab to a place, counted from 0.
    Move {
        /// The tab.
        tab: TabId,
        /// The place.
        place: usize,
    },
    /// Reads it again; a page is loaded again.
    Reload(TabId),
    /// Begins to write in a file.
    Edit(TabId),
    /// Ends writing; what isn't kept is asked about.
    EndEdit(TabId),
    /// Ends writing without a question.
    EndEditAnyway(TabId),
    /// Keeps what was written.
    Save(TabId),
    /// After a conflict: keeps the person's text over what is on the disk.
    WriteOver(TabId),
    /// After a conflict: reads the file again and lets go of what the person wrote.
    TakeTheirs(TabId),
    /// After a conflict: goes on writing.
    PutOff(TabId),
    /// Opens or folds a folder of a tree.
    Unfold {
        /// The tab.
        tab: TabId,
        /// The folder.
        path: String,
        /// Whether it is to be open.
        open: bool,
    },
    /// Marks a row of a tree.
    Select {
        /// The tab.
        tab: TabId,
        /// The row.
        path: String,
    },
}
