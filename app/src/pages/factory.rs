//! What makes a host of pages, once there is a window to show them in.

use std::sync::Arc;

use raw_window_handle::{HasWindowHandle, RawWindowHandle};

use super::PageHost;

/// Lets the window look for what has come. May be called by any thread, as often as one likes.
pub type Waker = Arc<dyn Fn() + Send + Sync>;

/// Makes a host for a window. Called once, on the window's thread.
pub type HostFactory = Box<dyn FnOnce(HostWindow) -> Box<dyn PageHost>>;

/// The window that pages are shown in.
pub struct HostWindow {
    /// The system's name for it; `None` where it has none.
    pub handle: Option<RawWindowHandle>,
    /// Wakes it.
    pub wake: Waker,
}

impl HostWindow {
    /// Of a window that is open.
    pub fn new(window: &impl HasWindowHandle, wake: Waker) -> Self {
        let handle = window.window_handle().ok();
        Self {
            handle: handle.map(|handle| handle.as_raw()),
            wake,
        }
    }

    /// Its number on X11; `None` elsewhere.
    pub fn xid(&self) -> Option<u32> {
        match self.handle? {
            RawWindowHandle::Xlib(handle) => u32::try_from(handle.window).ok(),
            RawWindowHandle::Xcb(handle) => Some(handle.window.get()),
            _ => None,
        }
    }
}

impl std::fmt::Debug for HostWindow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HostWindow")
            .field("handle", &self.handle)
            .finish_non_exhaustive()
    }
}
