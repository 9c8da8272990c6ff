//! The window's part in native web pages: the host behind them, what it was last told, and the tools' tickets.
//!
//! A native view covers whatever egui draws. While something of egui's lies over a page, the view is hidden
//! and its last picture is painted in its place.

mod focus;
mod incoming;
pub(super) mod questions;
mod settle;
mod tickets;
mod wishes;

use std::collections::{BTreeMap, HashMap};

use eframe::egui::{Rect, TextureHandle};
use wisp_engine::protocol::{SessionId, TabId, Ticket, TicketId};

use crate::pages::{PageCommand, PageHost, PageId, PixelRect};

pub(super) use tickets::Pending;

/// What the window knows of its pages.
#[derive(Default)]
pub(super) struct Pages {
    /// Who shows them; `None` where none can be shown.
    host: Option<Box<dyn PageHost>>,
    /// Whether the host knows the window's keys.
    told_keys: bool,
    /// The last number given to a page.
    last_page: u64,
    /// The last number given to a request.
    last_request: u64,
    /// What each page was told last.
    told: HashMap<PageId, Told>,
    /// What was asked for and has not been answered.
    waits: BTreeMap<u64, Wait>,
    /// The tools' tickets that were claimed and are not answered.
    pending: Vec<Pending>,
    /// The page that something lies over, or lay over in the last frame.
    cover: Option<Cover>,
    /// The page that has the keyboard, or was given it.
    focused: Option<PageId>,
    /// The page that is to get the keyboard once it is seen and no dialog is over it.
    wants_focus: Option<PageId>,
    /// The number of the last command about the keyboard.
    turn: u64,
}

/// What a page was told last.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Told {
    place: PixelRect,
    visible: bool,
    zoom: f32,
}

/// What a request was for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Wait {
    /// A tool reads.
    Read(TicketId),
    /// A tab is to be closed; with a ticket, a tool asked for it.
    Unsaved {
        session: SessionId,
        tab: TabId,
        ticket: Option<TicketId>,
    },
    /// The picture for a covered page.
    Picture(PageId),
}

/// A page that something lies over.
struct Cover {
    page: PageId,
    /// Since when, in the window's seconds.
    since: f64,
    /// Its picture, once it has come.
    picture: Option<TextureHandle>,
    /// Whether the view is hidden by now.
    hidden: bool,
}

/// What was drawn of a page in this frame.
#[derive(Clone, Debug, PartialEq)]
pub struct PagePlace {
    /// Its tab.
    pub tab: TabId,
    /// Where, in points.
    pub rect: Rect,
}

impl Pages {
    /// With somebody who shows pages.
    pub(super) fn with_host(host: Box<dyn PageHost>) -> Self {
        Self {
            host: Some(host),
            ..Self::default()
        }
    }

    /// Tells the host something. Nothing happens where there is none.
    fn send(&mut self, command: PageCommand) {
        if let Some(host) = &mut self.host {
            host.send(command);
        }
    }

    fn next_page(&mut self) -> PageId {
        self.last_page += 1;
        PageId(self.last_page)
    }

    fn next_turn(&mut self) -> u64 {
        self.turn += 1;
        self.turn
    }

    fn next_request(&mut self, wait: Wait) -> u64 {
        self.last_request += 1;
        self.waits.insert(self.last_request, wait);
        self.last_request
    }

    /// Whether a page has the keyboard.
    pub(super) fn has_focus(&self) -> bool {
        self.focused.is_some()
    }

    /// The picture of a covered page whose view is hidden.
    pub(super) fn picture(&self) -> Option<&TextureHandle> {
        (self.cover.as_ref()).and_then(|cover| cover.picture.as_ref().filter(|_| cover.hidden))
    }

    /// The claimed ticket of this name, no longer waited for.
    fn take_pending(&mut self, ticket: &TicketId) -> Option<Ticket> {
        let place = (self.pending.iter()).position(|pending| pending.ticket.id == *ticket)?;
        Some(self.pending.remove(place).ticket)
    }
}

impl std::fmt::Debug for Pages {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pages")
            .field("told", &self.told)
            .field("waits", &self.waits)
            .finish_non_exhaustive()
    }
}
