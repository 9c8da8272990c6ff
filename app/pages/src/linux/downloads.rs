//! Downloads: each is asked about before a byte of it is written, and goes under a safe name into its session's
//! folder.

#![expect(
    clippy::disallowed_methods,
    reason = "this is the home of downloads: it makes their folder and sees which names are taken"
)]

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use webkit2gtk::{
    DownloadExt as _, URIRequestExt as _, URIResponseExt, WebContextExt as _, WebView,
};
use wisp::pages::{Download, PageEvent, PageId};

use super::page::Page;
use crate::names::{free, safe};
use crate::policy::bare;
use crate::read::plain;

/// Downloads of a page that may wait for an answer. More are refused unasked.
const MOST_WAITING: usize = 4;

/// All downloads of a host.
#[derive(Default)]
pub(super) struct Downloads {
    /// Which page a view is.
    pages: RefCell<HashMap<WebView, Rc<Page>>>,
    waiting: RefCell<BTreeMap<u64, Waiting>>,
    /// Where running downloads go: their names are taken before there are files.
    running: RefCell<HashSet<PathBuf>>,
    last: Cell<u64>,
}

/// A download that was asked about.
struct Waiting {
    page: Rc<Page>,
    name: String,
    download: webkit2gtk::Download,
}

impl Downloads {
    /// Follows the downloads of a storage.
    pub(super) fn follow(self: &Rc<Self>, context: &webkit2gtk::WebContext) {
        let downloads = Rc::downgrade(self);
        context.connect_download_started(move |_, download| match downloads.upgrade() {
            Some(downloads) => downloads.started(download),
            None => download.cancel(),
        });
    }

    /// A page may offer downloads from now on.
    pub(super) fn add(&self, view: &WebView, page: &Rc<Page>) {
        self.pages.borrow_mut().insert(view.clone(), page.clone());
    }

    /// A page is gone, and with it what it waited for.
    pub(super) fn remove(self: &Rc<Self>, view: &WebView) {
        let Some(page) = self.pages.borrow_mut().remove(view) else {
            return;
        };
        let numbers: Vec<u64> = self.of(page.id);
        for number in numbers {
            self.answer(page.id, number, false);
        }
    }

    fn of(&self, page: PageId) -> Vec<u64> {
        let waiting = self.waiting.borrow();
        let of = waiting
            .iter()
            .filter(|(_, waiting)| waiting.page.id == page);
        of.map(|(number, _)| *number).collect()
    }

    fn started(self: &Rc<Self>, download: &webkit2gtk::Download) {
        let view = download.web_view();
        let page = view.and_then(|view| self.pages.borrow().get(&view).cloned());
        let Some(page) = page else {
            return download.cancel();
        };
        download.set_allow_overwrite(false);
        let downloads = self.clone();
        download.connect_decide_destination(move |download, proposed| {
            downloads.ask(&page, download, proposed);
            true
        });
    }

    fn ask(self: &Rc<Self>, page: &Rc<Page>, download: &webkit2gtk::Download, proposed: &str) {
        if self.of(page.id).len() >= MOST_WAITING {
            return download.cancel();
        }
        let number = self.last.get() + 1;
        self.last.set(number);
        let name = safe(proposed);
        let response = download.response();
        let bytes = response.as_ref().map(URIResponseExt::content_length);
        let url = response.and_then(|response| response.uri());
        let url = url.or_else(|| download.request().and_then(|request| request.uri()));
        let asked = Download {
            download: number,
            name: name.clone(),
            // What a page makes itself has no address but the page's.
            url: url
                .and_then(|url| bare(&url))
                .or_else(|| bare(&page.url.borrow()))
                .unwrap_or_default(),
            bytes: bytes.filter(|bytes| *bytes > 0),
        };
        let waiting = Waiting {
            page: page.clone(),
            name,
            download: download.clone(),
        };
        self.waiting.borrow_mut().insert(number, waiting);
        page.tell(PageEvent::DownloadAsked {
            page: page.id,
            download: asked,
        });
    }

    /// Does what the person has answered.
    pub(super) fn answer(self: &Rc<Self>, page: PageId, number: u64, allow: bool) {
        let is_of = |waiting: &Waiting| waiting.page.id == page;
        if !self.waiting.borrow().get(&number).is_some_and(is_of) {
            return;
        }
        let Some(waiting) = self.waiting.borrow_mut().remove(&number) else {
            return;
        };
        if !allow {
            return waiting.download.cancel();
        }
        let tell = |outcome| {
            waiting.page.tell(PageEvent::Downloaded {
                page,
                download: number,
                outcome,
            });
        };
        match self.place(&waiting.page.storage.downloads, &waiting.name) {
            Ok(path) => self.run(number, waiting, path),
            Err(error) => {
                waiting.download.cancel();
                tell(Err(error.to_string()));
            }
        }
    }

    /// A path in the folder that is not taken.
    fn place(&self, folder: &Path, name: &str) -> std::io::Result<PathBuf> {
        std::fs::create_dir_all(folder)?;
        let mut taken: HashSet<OsString> = HashSet::new();
        for entry in std::fs::read_dir(folder)? {
            taken.insert(entry?.file_name());
        }
        let running = self.running.borrow();
        let running = running.iter().filter(|path| path.parent() == Some(folder));
        taken.extend(running.filter_map(|path| Some(path.file_name()?.to_owned())));
        Ok(folder.join(free(name, &taken)))
    }

    fn run(self: &Rc<Self>, number: u64, waiting: Waiting, path: PathBuf) {
        let failed = Rc::new(RefCell::new(None));
        let why = failed.clone();
        waiting.download.connect_failed(move |_, error| {
            why.replace(Some(plain(error.message())));
        });
        let downloads = Rc::downgrade(self);
        let (page, to) = (waiting.page, path.clone());
        // Comes after a failure as well.
        waiting.download.connect_finished(move |_| {
            if let Some(downloads) = downloads.upgrade() {
                downloads.running.borrow_mut().remove(&to);
            }
            page.tell(PageEvent::Downloaded {
                page: page.id,
                download: number,
                outcome: failed.take().map_or_else(|| Ok(to.clone()), Err),
            });
        });
        let Some(destination) = path.to_str() else {
            return waiting.download.cancel();
        };
        waiting.download.set_destination(destination);
        self.running.borrow_mut().insert(path);
    }
}
