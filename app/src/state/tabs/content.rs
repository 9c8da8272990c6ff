//! One tab: its name, its version, what it shows.

use wisp_engine::protocol::{CallId, RunId, TabId, TabInfo, TabKind};

use super::file::{FileTab, name_of};
use super::folder::FolderTab;
use super::web::{WebTab, same_page};

/// What a new tab is called where no language is spoken: in lists for tools.
const NEW_TAB: &str = "New tab";

/// One tab of a session.
#[derive(Clone, Debug, PartialEq)]
pub struct Tab {
    /// Its name, stable while the program runs and never given to another.
    pub id: TabId,
    /// Grows whenever it shows something else; a reload and an edit are something else.
    pub version: u64,
    /// What it shows.
    pub content: Content,
}

/// What a tab shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// Nothing yet: where to go is being typed.
    New(NewTab),
    /// A file.
    File(Box<FileTab>),
    /// A folder.
    Folder(Box<FolderTab>),
    /// What a call changed.
    Diff(DiffTab),
    /// A web page.
    Web(Box<WebTab>),
}

/// A tab without anything yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewTab {
    /// What stands in its field.
    pub address: String,
    /// Whether its field is to get the keyboard.
    pub focus: bool,
    /// Whether what stood in the field was tried and names nothing.
    pub wrong: bool,
}

/// A change that a call has made, found in the session's transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffTab {
    /// The file's path.
    pub path: String,
    /// The run.
    pub run: RunId,
    /// The step, counted from 1.
    pub step: u32,
    /// The call.
    pub call: CallId,
}

impl Tab {
    /// What a tool may know of it.
    pub fn info(&self, active: bool) -> TabInfo {
        let (url, path) = match &self.content {
            Content::New(_) => (None, None),
            Content::File(file) => (None, Some(file.path.clone())),
            Content::Folder(folder) => (None, Some(folder.path.clone())),
            Content::Diff(diff) => (None, Some(diff.path.clone())),
            Content::Web(web) => (Some(web.url.clone()), None),
        };
        let failure = match &self.content {
            Content::Web(web) => web
                .failure
                .as_ref()
                .map(|failure| failure.kind.word().to_owned()),
            _ => None,
        };
        TabInfo {
            tab: self.id.clone(),
            kind: self.content.kind(),
            title: self.content.name().unwrap_or(NEW_TAB).to_owned(),
            active,
            url,
            path,
            failure,
            version: self.version,
        }
    }

    /// It shows something else now.
    pub fn bump(&mut self) {
        self.version += 1;
    }
}

impl Content {
    /// An empty new tab whose field gets the keyboard.
    pub fn new_tab() -> Self {
        Self::New(NewTab {
            focus: true,
            ..NewTab::default()
        })
    }

    /// A file, shown from this line on.
    pub fn file(path: impl Into<String>, line: Option<usize>) -> Self {
        Self::File(Box::new(FileTab::new(path, line)))
    }

    /// A folder. `root`: the name of the session's folder.
    pub fn folder(path: &str, root: &str) -> Self {
        Self::Folder(Box::new(FolderTab::new(path, root)))
    }

    /// A web page.
    pub fn web(url: impl Into<String>) -> Self {
        Self::Web(Box::new(WebTab::new(url)))
    }

    /// What kind a tool is told.
    pub fn kind(&self) -> TabKind {
        match self {
            Self::New(_) => TabKind::New,
            Self::File(_) | Self::Diff(_) => TabKind::File,
            Self::Folder(_) => TabKind::Directory,
            Self::Web(_) => TabKind::Web,
        }
    }

    /// What stands on it; a new tab has no name of its own.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::New(_) => None,
            Self::File(file) => Some(file.name()),
            Self::Folder(folder) => Some(&folder.name),
            Self::Diff(diff) => Some(name_of(&diff.path)),
            Self::Web(web) => Some(web.name()),
        }
    }

    /// Whether closing it would lose what the person has typed.
    pub fn is_dirty(&self) -> bool {
        matches!(self, Self::File(file) if file.is_dirty())
    }

    /// Whether it shows the same as `other` would: then that needs no tab of its own.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::File(one), Self::File(other)) => one.path == other.path,
            (Self::Folder(one), Self::Folder(other)) => one.path == other.path,
            (Self::Diff(one), Self::Diff(other)) => one == other,
            (Self::Web(one), Self::Web(other)) => same_page(&one.url, &other.url),
            _ => false,
        }
    }

    /// What is kept of a closed tab, so that it can be opened again; `None` for a new tab.
    pub(super) fn remembered(&self) -> Option<Self> {
        match self {
            Self::New(_) => None,
            Self::File(file) => Some(Self::file(file.path.clone(), None)),
            Self::Folder(folder) => Some(Self::folder(&folder.path, &folder.name)),
            Self::Diff(diff) => Some(Self::Diff(diff.clone())),
            Self::Web(web) => Some(Self::web(web.url.clone())),
        }
    }
}
