//! What tools ask of the window's right-hand side, and what the window asks of the engine for it.
//!
//! A tool that needs the window makes a ticket. The window hears of it by an update that is not stored, claims
//! it, does what it says, and tells how it went. A ticket is claimed once; one that is late, cancelled or of
//! another session is refused, and then nothing may be done for it.

use serde::{Deserialize, Serialize};

use super::{RunId, SessionId, TabId, TicketId};

/// A one-time request from a tool to the window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ticket {
    /// Its name.
    pub id: TicketId,
    /// The session whose tabs are meant. No other's may be touched.
    pub session: SessionId,
    /// The run that asks.
    pub run: RunId,
    /// What is asked.
    pub request: PreviewRequest,
}

/// What a ticket asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "request", rename_all = "snake_case")]
pub enum PreviewRequest {
    /// Show a page, in a web tab that has it already or a new one. Answered by `Accepted`.
    Open {
        /// A whole `http` or `https` address. The user has said yes to it.
        url: String,
    },
    /// List the session's tabs. Answered by `Tabs`.
    List,
    /// Read a web page. Answered by `Page`.
    Read {
        /// The tab.
        tab: TabId,
        /// The version it had in the list; of another version nothing may be read.
        version: u64,
    },
    /// Reload, go back or forward, or close. Answered by `Accepted`, `Reloaded` or `Closed`.
    Act {
        /// The tab.
        tab: TabId,
        /// The version it had in the list; to another one nothing may be done.
        version: u64,
        /// What to do.
        action: TabAction,
    },
}

/// What can be done with a tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TabAction {
    /// Load it again.
    Reload,
    /// One back in a page's history.
    Back,
    /// One forward in a page's history.
    Forward,
    /// Close it.
    Close,
}

/// How a ticket went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum TicketOutcome {
    /// The window has taken it up; whether it loads is seen in the tab.
    Accepted,
    /// The tabs, in the order shown.
    Tabs {
        /// The tabs.
        tabs: Vec<TabInfo>,
    },
    /// What was read of a page.
    Page {
        /// The page.
        page: PageContent,
    },
    /// A file or folder was read again and fills the same tab.
    Reloaded,
    /// The tab is closed.
    Closed,
    /// The user kept the tab.
    Kept,
    /// It was not done, and nothing changed.
    Refused {
        /// Why.
        refusal: Refusal,
    },
}

/// Why the window did not do what a ticket asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// There is no such tab in the session any more.
    NoTab,
    /// The tab shows something else than when it was listed.
    Changed,
    /// The tab is no web page, or is one and the action is not for pages.
    WrongKind,
    /// There is nothing in the history that way.
    NoHistory,
    /// The tab is being edited, loaded or saved.
    Busy,
    /// The page did not answer in time.
    Timeout,
    /// The page can't be shown or read here: no view of it is alive.
    Unavailable,
    /// The session is not on screen any more.
    Left,
    /// It has as many tabs as it may have.
    TooMany,
}

/// One tab as a tool may know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TabInfo {
    /// Its name, stable while the program runs.
    pub tab: TabId,
    /// What it shows.
    pub kind: TabKind,
    /// Its title.
    pub title: String,
    /// Whether it is the one in front.
    pub active: bool,
    /// A page's address. The engine takes query and fragment off before a tool sees it.
    pub url: Option<String>,
    /// A file's or folder's path inside the session's folder, `/`-separated.
    pub path: Option<String>,
    /// Why a page could not be loaded, in one word, such as `refused` or `certificate`.
    pub failure: Option<String>,
    /// Grows whenever the tab shows something else. Not for the model.
    pub version: u64,
}

/// What a tab shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TabKind {
    /// A web page.
    Web,
    /// A file, its changes included.
    File,
    /// A folder.
    Directory,
    /// Nothing yet.
    New,
}

/// What was read of a page. All of it comes from the page and is not to be trusted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageContent {
    /// The address.
    pub url: String,
    /// The title.
    pub title: String,
    /// What a reader sees.
    pub text: String,
    /// Where it leads.
    pub links: Vec<PageLink>,
    /// Whether a limit cut something off.
    pub truncated: bool,
}

/// A link of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageLink {
    /// Its words.
    pub text: String,
    /// Its address.
    pub url: String,
}
