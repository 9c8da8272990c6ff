//! What is known of a page, and what is told of it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use webkit2gtk::WebViewExt as _;
use wisp::pages::{PageEvent, PageFailure, PageId, Storage};

use crate::policy::{MOST_ADDRESS, cut};

/// What is known of a page.
pub(super) struct Page {
    /// Its number.
    pub(super) id: PageId,
    /// Its session's storage.
    pub(super) storage: Storage,
    /// Its navigation version.
    pub(super) version: Cell<u64>,
    /// Whether something loads.
    pub(super) loading: Cell<bool>,
    /// Whether what it shows is of no use.
    pub(super) failed: Cell<bool>,
    /// Whether the window asked it to stop.
    pub(super) stops: Cell<bool>,
    /// Whether what was asked for last has come, or is given up.
    pub(super) arrived: Cell<bool>,
    /// How often it was sent somewhere.
    pub(super) goes: Cell<u64>,
    /// Whether it is being sent somewhere at this moment: its address then is where it goes.
    pub(super) sends: Cell<bool>,
    /// Where it was sent last.
    pub(super) wanted: RefCell<String>,
    /// Whether its process is being ended here.
    pub(super) ends: Cell<bool>,
    /// Whether the page has called `window.close`. It stays, but WebKit loads nothing in its process any more.
    pub(super) closes: Cell<bool>,
    /// How often the load was sent elsewhere.
    pub(super) redirects: Cell<u32>,
    /// Whether it has the keyboard.
    pub(super) held: Cell<bool>,
    /// The address that was told last.
    pub(super) url: RefCell<String>,
    /// An address that was refused while something loaded.
    pub(super) refused: RefCell<Option<String>>,
    tell: Rc<dyn Fn(PageEvent)>,
}

impl Page {
    /// One that shows nothing yet. `tell` tells the window.
    pub(super) fn new(id: PageId, storage: Storage, tell: Rc<dyn Fn(PageEvent)>) -> Self {
        Self {
            id,
            storage,
            version: Cell::new(0),
            loading: Cell::new(false),
            failed: Cell::new(false),
            stops: Cell::new(false),
            arrived: Cell::new(true),
            goes: Cell::new(0),
            sends: Cell::new(false),
            wanted: RefCell::default(),
            ends: Cell::new(false),
            closes: Cell::new(false),
            redirects: Cell::new(0),
            held: Cell::new(false),
            url: RefCell::default(),
            refused: RefCell::default(),
            tell,
        }
    }

    /// Tells the window.
    pub(super) fn tell(&self, event: PageEvent) {
        (self.tell)(event);
    }

    /// It is on its way to or has arrived at an address: the next version.
    pub(super) fn moves(&self, url: &str) {
        self.version.set(self.version.get() + 1);
        self.url.replace(url.to_owned());
        self.tell(PageEvent::Moved {
            page: self.id,
            version: self.version.get(),
            url: cut(url, MOST_ADDRESS).to_owned(),
            loading: self.is_on_its_way(),
        });
    }

    /// Whether something loads, or was asked for and has not begun: what is there then is what was there before.
    pub(super) fn is_on_its_way(&self) -> bool {
        self.loading.get() || !self.arrived.get()
    }

    /// Ends its process; what is loaded next begins another.
    pub(super) fn end_process(&self, view: &webkit2gtk::WebView) {
        self.ends.set(true);
        view.terminate_web_process();
        self.loading.set(false);
    }

    /// It can't be what was asked for.
    pub(super) fn fails(&self, url: &str, failure: PageFailure) {
        self.tell(PageEvent::Failed {
            page: self.id,
            url: cut(url, MOST_ADDRESS).to_owned(),
            failure,
        });
    }
}
