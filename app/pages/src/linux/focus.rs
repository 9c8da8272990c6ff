//! Who has the keyboard: the window or one of its pages. On a connection to X of its own, which works with and
//! without a window manager.
//!
//! A page's window is inside the program's, so for a window manager nothing changes when the keyboard goes from
//! one to the other, and nobody but us does it. A key press goes to the window under the pointer when that is
//! inside the one with the keyboard; so a page takes none while the program has it (`View::listen`).

use std::cell::Cell;
use std::os::fd::{AsRawFd as _, RawFd};

use x11rb::connection::Connection as _;
use x11rb::errors::ReplyError;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    ChangeWindowAttributesAux, ConnectionExt as _, EventMask, InputFocus, NotifyDetail,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

/// What sets the keyboard's place and watches it.
pub(super) struct Focus {
    /// Asks, and waits until it is done. Events that came meanwhile would be read with the answer, and nobody would
    /// be woken for them; so they come by another.
    asks: RustConnection,
    watches: RustConnection,
    parent: u32,
    /// The window's last command about the keyboard that was carried out.
    pub(super) turn: Cell<u64>,
}

/// The keyboard came to a window, or left it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Change {
    /// The page's window.
    pub(super) window: u32,
    /// Whether it has the keyboard now.
    pub(super) held: bool,
}

impl Focus {
    /// For the pages inside a window.
    pub(super) fn new(parent: u32) -> Result<Self, String> {
        let connect = || RustConnection::connect(None).map_err(|error| error.to_string());
        let (asks, watches) = (connect()?.0, connect()?.0);
        let focus = Self {
            asks,
            watches,
            parent,
            turn: Cell::new(0),
        };
        focus
            .asks
            .get_geometry(parent)
            .map_err(ReplyError::from)
            .and_then(x11rb::cookie::Cookie::reply)
            .map_err(|error| format!("there is no window {parent}: {error}"))?;
        Ok(focus)
    }

    /// What to wait at for changes.
    pub(super) fn descriptor(&self) -> RawFd {
        self.watches.stream().as_raw_fd()
    }

    /// Watches a page's window.
    pub(super) fn watch(&self, window: u32) {
        let mask = ChangeWindowAttributesAux::new().event_mask(EventMask::FOCUS_CHANGE);
        let asked = self.watches.change_window_attributes(window, &mask);
        // An error means that the window or the server has gone.
        drop(asked.map(x11rb::cookie::VoidCookie::ignore_error));
        drop(self.watches.flush());
    }

    /// Gives the keyboard to a page's window. When that is hidden, it goes back to the program's by itself.
    pub(super) fn give(&self, window: u32) {
        let asked = self
            .asks
            .set_input_focus(InputFocus::PARENT, window, x11rb::CURRENT_TIME);
        drop(asked.map(x11rb::cookie::VoidCookie::ignore_error));
        // Done before whatever GTK asks of X next, on its own connection.
        drop(self.asks.sync());
    }

    /// Gives the keyboard back to the program's window.
    pub(super) fn take_back(&self) {
        self.give(self.parent);
    }

    /// Waits until every change up to now has come; [`Self::changes`] gives them.
    pub(super) fn catch_up(&self) {
        drop(self.watches.sync());
    }

    /// What has changed since.
    pub(super) fn changes(&self) -> Vec<Change> {
        let mut changes = Vec::new();
        while let Ok(Some(event)) = self.watches.poll_for_event() {
            let (event, held) = match event {
                Event::FocusIn(event) => (event, true),
                Event::FocusOut(event) => (event, false),
                _ => continue,
            };
            // To a window inside it is still inside; under the pointer is not with the keyboard.
            if !matches!(
                event.detail,
                NotifyDetail::INFERIOR | NotifyDetail::POINTER | NotifyDetail::POINTER_ROOT
            ) {
                let window = event.event;
                changes.push(Change { window, held });
            }
        }
        changes
    }
}
