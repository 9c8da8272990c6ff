//! A host of pages in a test's hands: it shows nothing, says what it was told, and tells what the test wants.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};

use eframe::egui::Context;
use wisp::pages::{
    FailureKind, PageCommand, PageEvent, PageFailure, PageHost, PageId, PageLink, PageText, Pixels,
    ReadFailure,
};

/// The test's end.
#[derive(Clone, Default)]
pub(crate) struct Pages {
    inner: Arc<Mutex<Inner>>,
}

/// The window's end.
pub(crate) struct FakeHost(Pages);

#[derive(Default)]
struct Inner {
    told: Vec<PageCommand>,
    events: VecDeque<PageEvent>,
    context: Option<Context>,
    shown: HashMap<PageId, Shown>,
    /// Pages whose fields were typed into.
    unsaved: bool,
    /// Whether what is asked of pages stays without an answer.
    silent: bool,
    /// Whether pages go on loading until the test says otherwise.
    slow: bool,
}

/// A page.
#[derive(Clone, Debug, Default)]
struct Shown {
    url: String,
    version: u64,
    history: Vec<String>,
    place: usize,
}

impl Pages {
    /// A host for a window with this context.
    pub(crate) fn host(&self, context: &Context) -> FakeHost {
        self.inner().context = Some(context.clone());
        FakeHost(self.clone())
    }

    /// Everything it was told, in order.
    pub(crate) fn told(&self) -> Vec<PageCommand> {
        self.inner().told.clone()
    }

    /// The pages that are there, by number.
    pub(crate) fn alive(&self) -> Vec<PageId> {
        let mut pages: Vec<PageId> = self.inner().shown.keys().copied().collect();
        pages.sort_unstable();
        pages
    }

    /// The page at this address.
    pub(crate) fn at(&self, url: &str) -> Option<PageId> {
        let inner = self.inner();
        let mut pages = inner.shown.iter();
        pages
            .find(|(_, shown)| shown.url == url)
            .map(|(page, _)| *page)
    }

    /// Whether a page is to be seen.
    pub(crate) fn is_visible(&self, page: PageId) -> bool {
        let told = self.told();
        let last = told.iter().rev().find_map(|command| match command {
            PageCommand::Show { page: of, visible } if *of == page => Some(*visible),
            PageCommand::Open {
                page: of, visible, ..
            } if *of == page => Some(*visible),
            _ => None,
        });
        last.unwrap_or_default()
    }

    /// From now on fields hold what was typed into them.
    pub(crate) fn type_into_fields(&self) {
        self.inner().unsaved = true;
    }

    /// From now on nothing is answered.
    pub(crate) fn fall_silent(&self) {
        self.inner().silent = true;
    }

    /// From now on pages go on loading.
    pub(crate) fn load_slowly(&self) {
        self.inner().slow = true;
    }

    /// Tells the window something.
    pub(crate) fn tell(&self, event: PageEvent) {
        let mut inner = self.inner();
        inner.events.push_back(event);
        if let Some(context) = &inner.context {
            context.request_repaint();
        }
    }

    /// The keyboard goes to a page, or leaves it, after everything the window has asked for.
    pub(crate) fn focus(&self, page: PageId, held: bool) {
        let turn = self.turn();
        self.tell(PageEvent::Focus { page, held, turn });
    }

    /// The number of the window's last command about the keyboard.
    pub(crate) fn turn(&self) -> u64 {
        let told = self.told();
        let last = told.iter().rev().find_map(|command| match command {
            PageCommand::Focus { turn, .. } | PageCommand::ReleaseFocus { turn } => Some(*turn),
            _ => None,
        });
        last.unwrap_or_default()
    }

    /// A page goes to another address by itself.
    pub(crate) fn wander(&self, page: PageId, url: &str) {
        self.inner().load(page, url);
    }

    /// A page could not be loaded.
    pub(crate) fn fail(&self, page: PageId, kind: FailureKind) {
        let url = self.inner().shown.get(&page).map(|shown| shown.url.clone());
        self.tell(PageEvent::Failed {
            page,
            url: url.unwrap_or_default(),
            failure: PageFailure {
                kind,
                detail: "as the test says".to_owned(),
            },
        });
    }

    /// All pages are gone.
    pub(crate) fn die(&self) {
        self.inner().shown.clear();
        self.tell(PageEvent::Died {
            reason: "as the test says".to_owned(),
        });
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap()
    }
}

impl Inner {
    /// A load from its beginning to its end.
    fn load(&mut self, page: PageId, url: &str) {
        let shown = self.shown.entry(page).or_default();
        shown.version += 1;
        url.clone_into(&mut shown.url);
        shown.history.truncate(shown.place);
        shown.history.push(url.to_owned());
        shown.place = shown.history.len();
        self.arrive(page);
    }

    fn turn(&mut self, page: PageId, by: isize) {
        let Some(shown) = self.shown.get_mut(&page) else {
            return;
        };
        let Some(place) = shown.place.checked_add_signed(by) else {
            return;
        };
        let Some(url) = place
            .checked_sub(1)
            .and_then(|place| shown.history.get(place))
        else {
            return;
        };
        (shown.url, shown.place) = (url.clone(), place);
        shown.version += 1;
        self.arrive(page);
    }

    fn arrive(&mut self, page: PageId) {
        let Some(shown) = self.shown.get(&page).cloned() else {
            return;
        };
        let (version, url) = (shown.version, shown.url.clone());
        self.events.push_back(PageEvent::Moved {
            page,
            version,
            url,
            loading: true,
        });
        if self.slow {
            return;
        }
        let name = shown.url.rsplit('/').next().unwrap_or_default();
        self.events.extend([
            PageEvent::Title {
                page,
                title: format!("Page {name}"),
            },
            PageEvent::History {
                page,
                back: shown.place > 1,
                forward: shown.place < shown.history.len(),
            },
            PageEvent::Finished { page, version },
        ]);
    }

    fn read(&self, page: PageId, version: u64) -> Result<PageText, ReadFailure> {
        let shown = self.shown.get(&page).ok_or(ReadFailure::Changed)?;
        if shown.version != version {
            return Err(ReadFailure::Changed);
        }
        Ok(PageText {
            version,
            url: shown.url.clone(),
            title: "Page".to_owned(),
            text: format!("What {} says.", shown.url),
            links: vec![PageLink {
                text: "further".to_owned(),
                url: format!("{}?token=1", shown.url),
            }],
            truncated: false,
        })
    }

    fn take(&mut self, command: &PageCommand) {
        let answer = match command {
            PageCommand::Open { page, url, .. } | PageCommand::Navigate { page, url } => {
                return self.load(*page, url);
            }
            PageCommand::Reload { page } => return self.turn(*page, 0),
            PageCommand::Back { page } => return self.turn(*page, -1),
            PageCommand::Forward { page } => return self.turn(*page, 1),
            PageCommand::Close { page } => {
                self.shown.remove(page);
                return;
            }
            PageCommand::Find { page, words, .. } => PageEvent::Found {
                page: *page,
                matches: u32::from(!words.is_empty()) * 2,
            },
            PageCommand::Read {
                page,
                request,
                version,
            } => PageEvent::Read {
                request: *request,
                outcome: self.read(*page, *version),
            },
            PageCommand::CheckUnsaved { request, .. } => PageEvent::Unsaved {
                request: *request,
                unsaved: self.unsaved,
            },
            PageCommand::Picture { request, .. } => PageEvent::Picture {
                request: *request,
                picture: Some(Pixels {
                    width: 2,
                    height: 2,
                    rgba: vec![200; 16],
                }),
            },
            _ => return,
        };
        if !self.silent {
            self.events.push_back(answer);
        }
    }
}

impl PageHost for FakeHost {
    fn send(&mut self, command: PageCommand) {
        let mut inner = self.0.inner();
        inner.take(&command);
        inner.told.push(command);
        if let Some(context) = &inner.context {
            context.request_repaint();
        }
    }

    fn try_next(&mut self) -> Option<PageEvent> {
        self.0.inner().events.pop_front()
    }
}
