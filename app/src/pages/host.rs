//! The trait behind which pages live. Its users never know whether a process of its own, this process or a
//! test answers.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
pub use wisp_engine::protocol::PageLink;

/// Shows pages. Commands are carried out in the order they are given; one about a page that isn't there is
/// passed over.
pub trait PageHost {
    /// Hands a command over. Never waits. The first one starts what is behind it.
    fn send(&mut self, command: PageCommand);

    /// The next thing that happened, if there is one. Never waits.
    fn try_next(&mut self) -> Option<PageEvent>;
}

/// One page of a host. A number is never used again while the program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PageId(pub u64);

/// A place in the window, in physical pixels from its upper left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PixelRect {
    /// From the left.
    pub x: i32,
    /// From the top.
    pub y: i32,
    /// To the right of it.
    pub width: u32,
    /// Downwards.
    pub height: u32,
}

/// Where a session's pages keep cookies, databases and downloads. Pages of other sessions see none of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Storage {
    /// What the engine of the page keeps; made when it isn't there.
    pub data: PathBuf,
    /// Where a download goes, once it was allowed; made when it isn't there.
    pub downloads: PathBuf,
}

/// A key with its modifiers that belongs to the window also while a page has the keyboard.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Chord {
    /// The key, by egui's name for it, such as `F6`, `L` or `Tab`.
    pub key: String,
    /// With Ctrl (on macOS with Command).
    pub command: bool,
    /// With Shift.
    pub shift: bool,
    /// With Alt.
    pub alt: bool,
}

/// What is asked of a host.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
pub enum PageCommand {
    /// Which keys a page may not keep. Holds for all pages; comes before the first one.
    Shortcuts {
        /// The keys.
        chords: Vec<Chord>,
    },
    /// Makes a page and begins to load.
    Open {
        /// Its number, chosen by the window.
        page: PageId,
        /// A whole `http` or `https` address; others are answered with a failure.
        url: String,
        /// Its session's storage.
        storage: Storage,
        /// Where it is.
        place: PixelRect,
        /// Whether it is seen.
        visible: bool,
        /// How large, 1.0 as it comes.
        zoom: f32,
    },
    /// Moves a page.
    Place {
        /// The page.
        page: PageId,
        /// Where it is now.
        place: PixelRect,
    },
    /// Shows or hides a page. A hidden one lives on.
    Show {
        /// The page.
        page: PageId,
        /// Whether it is seen.
        visible: bool,
    },
    /// Gives the keyboard to a page that is seen.
    Focus {
        /// The page.
        page: PageId,
        /// The window's number for this; it grows with every command about the keyboard.
        turn: u64,
    },
    /// Gives the keyboard back to the window. The window sends it also when it is clicked beside its pages: nobody
    /// else would move the keyboard.
    ReleaseFocus {
        /// As in `Focus`.
        turn: u64,
    },
    /// Goes to an address.
    Navigate {
        /// The page.
        page: PageId,
        /// As in `Open`.
        url: String,
    },
    /// One back in the history. Without one nothing happens: the window knows by `History`.
    Back {
        /// The page.
        page: PageId,
    },
    /// One forward in the history.
    Forward {
        /// The page.
        page: PageId,
    },
    /// Loads it again.
    Reload {
        /// The page.
        page: PageId,
    },
    /// Stops loading.
    Stop {
        /// The page.
        page: PageId,
    },
    /// Finds words and shows the next place; empty words end it. Answered by `Found`.
    Find {
        /// The page.
        page: PageId,
        /// The words.
        words: String,
        /// Onwards, or back.
        forward: bool,
    },
    /// Sets how large it is, 1.0 as it comes.
    Zoom {
        /// The page.
        page: PageId,
        /// How large.
        factor: f32,
    },
    /// Reads its text, if it is still the one of that version. Answered by `Read`.
    Read {
        /// The page.
        page: PageId,
        /// The window's number for the answer.
        request: u64,
        /// The version that is meant.
        version: u64,
    },
    /// Asks whether something was typed into it that would be lost. Answered by `Unsaved`.
    CheckUnsaved {
        /// The page.
        page: PageId,
        /// The window's number for the answer.
        request: u64,
    },
    /// Takes a picture of what is seen of it. Answered by `Picture`.
    Picture {
        /// The page.
        page: PageId,
        /// The window's number for the answer.
        request: u64,
    },
    /// Answers `DownloadAsked`.
    Download {
        /// The page.
        page: PageId,
        /// The download.
        download: u64,
        /// Whether it may go into the session's downloads.
        allow: bool,
    },
    /// Ends a page, without a question.
    Close {
        /// The page.
        page: PageId,
    },
}

/// What happened in a host.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum PageEvent {
    /// A page begins to load something, or shows another address without loading.
    Moved {
        /// The page.
        page: PageId,
        /// Its navigation version from now on; grows with every navigation.
        version: u64,
        /// The address.
        url: String,
        /// Whether something loads; `false` for a change of the address alone.
        loading: bool,
    },
    /// How far the load is.
    Progress {
        /// The page.
        page: PageId,
        /// From 0 to 1.
        share: f32,
    },
    /// It has a title.
    Title {
        /// The page.
        page: PageId,
        /// The title, at most 1,000 characters.
        title: String,
    },
    /// The load is done.
    Finished {
        /// The page.
        page: PageId,
        /// The version that was loaded.
        version: u64,
    },
    /// It could not be loaded, or broke down. The view shows nothing of use any more, except where what was there
    /// stays: an address that pages may not have ([`FailureKind::Address`]) once something was shown, and a load that
    /// was stopped ([`FailureKind::Stopped`]). Then a `Moved` before it says where the page is.
    Failed {
        /// The page.
        page: PageId,
        /// What was asked for.
        url: String,
        /// Why.
        failure: PageFailure,
    },
    /// Where the history leads.
    History {
        /// The page.
        page: PageId,
        /// Whether there is a way back.
        back: bool,
        /// Whether there is a way forward.
        forward: bool,
    },
    /// How often the words were found.
    Found {
        /// The page.
        page: PageId,
        /// How often; at most 1,000 are counted.
        matches: u32,
    },
    /// The text of a page.
    Read {
        /// The request.
        request: u64,
        /// The text, or why not.
        outcome: Result<PageText, ReadFailure>,
    },
    /// Whether something would be lost.
    Unsaved {
        /// The request.
        request: u64,
        /// Whether a field holds other than what the page put there; also when the page didn't answer in time.
        unsaved: bool,
    },
    /// A picture.
    Picture {
        /// The request.
        request: u64,
        /// `None` when none could be taken.
        picture: Option<Pixels>,
    },
    /// The keyboard went to a page or left it.
    Focus {
        /// The page.
        page: PageId,
        /// Whether it has the keyboard.
        held: bool,
        /// The last command about the keyboard that was carried out before this; 0 before the first.
        turn: u64,
    },
    /// One of the window's own keys was pressed in a page.
    Pressed {
        /// The page.
        page: PageId,
        /// The key.
        chord: Chord,
    },
    /// The person asked for a page of its own, by a link. What a script asks for by itself is not told.
    WantsTab {
        /// The page it came from.
        page: PageId,
        /// The address.
        url: String,
    },
    /// A download waits for an answer.
    DownloadAsked {
        /// The page.
        page: PageId,
        /// What it is.
        download: Download,
    },
    /// A download ended.
    Downloaded {
        /// The page.
        page: PageId,
        /// The download.
        download: u64,
        /// The file, or why there is none, in English.
        outcome: Result<PathBuf, String>,
    },
    /// Whoever showed the pages is gone, and all pages with it. The next `Open` starts anew.
    Died {
        /// What is known of it, in English.
        reason: String,
    },
}

/// A download that a page offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Download {
    /// Its number.
    pub download: u64,
    /// A name that is safe as the name of a file: no folder, no control characters.
    pub name: String,
    /// Where it comes from, without query and fragment.
    pub url: String,
    /// How many bytes, where it is told.
    pub bytes: Option<u64>,
}

/// Why a page isn't there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageFailure {
    /// The kind.
    pub kind: FailureKind,
    /// The engine's own words, in its language.
    pub detail: String,
}

/// What a person has to do differently about a page that isn't there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// Not an address that pages may have.
    Address,
    /// The name is not known.
    Name,
    /// Nobody answers there.
    Refused,
    /// It took too long.
    Timeout,
    /// The certificate is not trusted.
    Certificate,
    /// It sends in circles.
    Redirects,
    /// It was stopped.
    Stopped,
    /// The process of the page broke down.
    Crashed,
    /// The program that shows pages is missing or does not start.
    Host,
    /// Anything else.
    Other,
}

impl FailureKind {
    /// It in one English word, as a tool is told it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Address => "address",
            Self::Name => "name",
            Self::Refused => "refused",
            Self::Timeout => "timeout",
            Self::Certificate => "certificate",
            Self::Redirects => "redirects",
            Self::Stopped => "stopped",
            Self::Crashed => "crashed",
            Self::Host => "unavailable",
            Self::Other => "other",
        }
    }
}

/// What is read of a page. All of it comes from the page and is not to be trusted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageText {
    /// The version that was read.
    pub version: u64,
    /// The address, without query and fragment.
    pub url: String,
    /// The title.
    pub title: String,
    /// What a reader sees, at most 24,000 characters.
    pub text: String,
    /// Where it leads, at most 60.
    pub links: Vec<PageLink>,
    /// Whether a limit cut something off.
    pub truncated: bool,
}

/// Why a page was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReadFailure {
    /// It has gone elsewhere since, or is not there any more.
    Changed,
    /// It is still loading.
    Loading,
    /// It didn't answer in time.
    Timeout,
    /// The script gave back nothing of use.
    Failed,
}

/// A picture, 8 bits a channel: red, green, blue, alpha, row by row from the top.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pixels {
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// `width * height * 4` bytes.
    pub rgba: Vec<u8>,
}

impl std::fmt::Debug for Pixels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pixels({}x{})", self.width, self.height)
    }
}
