//! All pages of a window: carries out what is asked of them and tells what they say.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use gtk::glib;
use webkit2gtk::WebViewExt as _;
use wisp::pages::{
    Chord, FailureKind, PageCommand, PageEvent, PageId, PixelRect, ReadFailure, Storage,
};
use wry::WebContext;

use super::downloads::Downloads;
use super::failures::failure;
use super::focus::Focus;
use super::view::{Around, View};
use crate::outbox::Outbox;
use crate::policy::{MOST_ADDRESS, cut, may_open};

/// How long what a page says may wait, so that a later word can take its place. At most five things are said of how
/// a page is, so no page says more than thirty in a second.
const PAUSE: Duration = Duration::from_millis(160);
/// How long the first word after a silence waits.
const FIRST_PAUSE: Duration = Duration::from_millis(5);
/// Pages that a window may have at once. Each takes processes of its own.
const MOST_PAGES: usize = 64;

/// Where events go. Gives one back that can't be taken now.
pub(crate) type Tell = Box<dyn Fn(PageEvent) -> Result<(), PageEvent>>;

/// The pages of one window. Lives on the thread that runs GTK.
pub(crate) struct Views {
    parent: u32,
    focus: Rc<Focus>,
    keys: Rc<RefCell<Vec<Chord>>>,
    contexts: HashMap<PathBuf, WebContext>,
    downloads: Rc<Downloads>,
    pages: Rc<RefCell<HashMap<PageId, View>>>,
    post: Rc<Post>,
    watch: Option<glib::SourceId>,
}

impl Views {
    /// No pages yet, for the X11 window of this number. The reason, when it can't have any.
    pub(crate) fn new(parent: u32, tell: Tell) -> Result<Self, String> {
        let focus = Rc::new(Focus::new(parent)?);
        let pages = Rc::new(RefCell::default());
        let post = Rc::new(Post {
            outbox: RefCell::default(),
            planned: Cell::new(false),
            tell,
        });
        let watch = watch_focus(&focus, &pages, &post);
        Ok(Self {
            parent,
            focus,
            keys: Rc::default(),
            contexts: HashMap::new(),
            downloads: Rc::default(),
            pages,
            post,
            watch: Some(watch),
        })
    }

    /// Does what is asked.
    pub(crate) fn run(&mut self, command: PageCommand) {
        match command {
            PageCommand::Shortcuts { chords } => *self.keys.borrow_mut() = chords,
            PageCommand::Open {
                page,
                url,
                storage,
                place,
                visible,
                zoom,
            } => self.open(page, &url, storage, place, visible, zoom),
            PageCommand::Place { page, place } => self.with(page, |view| view.place(place)),
            PageCommand::Show { page, visible } => self.show(page, visible),
            PageCommand::Focus { page, turn } => self.turn(turn, |views| views.give_focus(page)),
            PageCommand::ReleaseFocus { turn } => self.turn(turn, |views| views.focus.take_back()),
            PageCommand::Navigate { page, url } => self.navigate(page, &url),
            PageCommand::Back { page } => self.with(page, View::back),
            PageCommand::Forward { page } => self.with(page, View::forward),
            PageCommand::Reload { page } => self.with(page, View::reload),
            PageCommand::Stop { page } => self.with(page, View::stop),
            PageCommand::Find {
                page,
                words,
                forward,
            } => self.with(page, |view| view.find(&words, forward)),
            PageCommand::Zoom { page, factor } => self.with(page, |view| view.zoom(factor)),
            PageCommand::Read {
                page,
                request,
                version,
            } => {
                let outcome = Err(ReadFailure::Changed);
                let gone = PageEvent::Read { request, outcome };
                self.asked(page, gone, |view| view.read(request, version));
            }
            PageCommand::CheckUnsaved { page, request } => {
                let unsaved = false;
                let gone = PageEvent::Unsaved { request, unsaved };
                self.asked(page, gone, |view| view.check_unsaved(request));
            }
            PageCommand::Picture { page, request } => {
                let picture = None;
                let gone = PageEvent::Picture { request, picture };
                self.asked(page, gone, |view| view.picture(request));
            }
            PageCommand::Download {
                page,
                download,
                allow,
            } => self.downloads.answer(page, download, allow),
            PageCommand::Close { page } => self.close(page),
        }
    }

    fn open(
        &mut self,
        id: PageId,
        url: &str,
        storage: Storage,
        place: PixelRect,
        visible: bool,
        zoom: f32,
    ) {
        if !may_open(url) {
            return self.fail(id, url, FailureKind::Address, "");
        }
        if self.pages.borrow().contains_key(&id) {
            return self.navigate(id, url);
        }
        if self.pages.borrow().len() >= MOST_PAGES {
            return self.fail(id, url, FailureKind::Host, "there are too many pages");
        }
        let context = (self.contexts.entry(storage.data.clone()))
            .or_insert_with_key(|data| WebContext::new(Some(data.clone())));
        let post = self.post.clone();
        let around = Around {
            parent: self.parent,
            context,
            focus: &self.focus,
            keys: &self.keys,
            tell: Rc::new(move |event| post.put(event)),
        };
        let view = match View::new(id, storage, place, visible, around) {
            Ok(view) => view,
            Err(error) => return self.fail(id, url, FailureKind::Host, &error),
        };
        // Making a view has taken off who followed them before.
        if let Some(context) = view.webkit().context() {
            self.downloads.follow(&context);
        }
        self.downloads.add(view.webkit(), view.page());
        view.zoom(zoom);
        view.navigate(url);
        self.pages.borrow_mut().insert(id, view);
    }

    fn navigate(&self, id: PageId, url: &str) {
        if may_open(url) {
            self.with(id, |view| view.navigate(url));
        } else if self.pages.borrow().contains_key(&id) {
            self.fail(id, url, FailureKind::Address, "");
        }
    }

    fn show(&self, id: PageId, visible: bool) {
        self.with(id, |view| {
            if !visible {
                self.take_focus_of(view);
            }
            view.show(visible);
        });
    }

    /// X gives the keyboard of a window that is hidden or gone to one around it, which is not always the program's.
    fn take_focus_of(&self, view: &View) {
        if view.page().held.get() {
            self.focus.take_back();
        }
    }

    /// Carries out a command about the keyboard. What has changed before it is told as before it.
    fn turn(&self, turn: u64, act: impl FnOnce(&Self)) {
        self.focus.catch_up();
        follow_focus(&self.focus, &self.pages, &self.post);
        act(self);
        self.focus.turn.set(turn);
        self.focus.catch_up();
        follow_focus(&self.focus, &self.pages, &self.post);
    }

    fn give_focus(&self, id: PageId) {
        self.with(id, |view| self.focus.give(view.window()));
    }

    fn close(&mut self, id: PageId) {
        let view = self.pages.borrow_mut().remove(&id);
        if let Some(view) = view {
            self.take_focus_of(&view);
            self.downloads.remove(view.webkit());
            view.close();
            self.post.outbox.borrow_mut().forget(id);
        }
    }

    /// Asks a page something. When it isn't there, that is the answer.
    fn asked(&self, id: PageId, gone: PageEvent, ask: impl FnOnce(&View)) {
        match self.pages.borrow().get(&id) {
            Some(view) => ask(view),
            None => self.post.put(gone),
        }
    }

    fn with(&self, id: PageId, act: impl FnOnce(&View)) {
        if let Some(view) = self.pages.borrow().get(&id) {
            act(view);
        }
    }

    fn fail(&self, page: PageId, url: &str, kind: FailureKind, detail: &str) {
        self.post.put(PageEvent::Failed {
            page,
            url: cut(url, MOST_ADDRESS).to_owned(),
            failure: failure(kind, detail),
        });
    }
}

impl Drop for Views {
    fn drop(&mut self) {
        if let Some(watch) = self.watch.take() {
            watch.remove();
        }
        let pages = std::mem::take(&mut *self.pages.borrow_mut());
        for (_, view) in pages.into_iter().collect::<Vec<_>>() {
            self.downloads.remove(view.webkit());
            view.close();
        }
    }
}

type Pages = Rc<RefCell<HashMap<PageId, View>>>;

/// Tells where the keyboard goes, and lets only the page that has it take keys.
fn watch_focus(focus: &Rc<Focus>, pages: &Pages, post: &Rc<Post>) -> glib::SourceId {
    let (focus, pages, post) = (focus.clone(), pages.clone(), post.clone());
    let ready = glib::IOCondition::IN;
    glib::source::unix_fd_add_local(focus.descriptor(), ready, move |_, _| {
        follow_focus(&focus, &pages, &post);
        glib::ControlFlow::Continue
    })
}

fn follow_focus(focus: &Focus, pages: &Pages, post: &Rc<Post>) {
    for change in focus.changes() {
        let pages = pages.borrow();
        let page = pages
            .iter()
            .find(|(_, view)| view.window() == change.window);
        if let Some((page, view)) = page {
            view.page().held.set(change.held);
            view.listen(change.held);
            if change.held {
                view.grab_keyboard();
            }
            post.put(PageEvent::Focus {
                page: *page,
                held: change.held,
                turn: focus.turn.get(),
            });
        }
    }
}

/// What waits to be told, and when.
struct Post {
    outbox: RefCell<Outbox>,
    /// Whether a time for telling is set.
    planned: Cell<bool>,
    tell: Tell,
}

impl Post {
    fn put(self: &Rc<Self>, event: PageEvent) {
        self.outbox.borrow_mut().put(event);
        if !self.planned.replace(true) {
            let post = self.clone();
            glib::timeout_add_local_once(FIRST_PAUSE, move || post.send());
        }
    }

    /// Tells all that waits, and comes back after a pause, until nothing has come in the meantime.
    fn send(self: Rc<Self>) {
        let mut told = false;
        loop {
            let Some(event) = self.outbox.borrow_mut().take() else {
                break;
            };
            told = true;
            if let Err(event) = (self.tell)(event) {
                self.outbox.borrow_mut().put_back(event);
                break;
            }
        }
        if told {
            glib::timeout_add_local_once(PAUSE, move || self.send());
        } else {
            self.planned.set(false);
        }
    }
}
