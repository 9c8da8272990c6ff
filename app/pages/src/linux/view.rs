//! One page's native view inside the window.

use std::cell::{Cell, RefCell};
use std::os::raw::c_ulong;
use std::rc::Rc;
use std::time::Duration;

use gtk::gdk::EventMask;
use gtk::gio::Cancellable;
use gtk::glib::{self, translate::IntoGlib as _};
use gtk::prelude::*;
use raw_window_handle::{RawWindowHandle, WindowHandle, XlibWindowHandle};
use webkit2gtk::{
    BackForwardListExt as _, BackForwardListItemExt as _, FindControllerExt as _, FindOptions,
    WebViewExt,
};
use wisp::pages::{Chord, PageEvent, PageId, PixelRect, ReadFailure, Storage};
use wry::dpi::{PhysicalPosition, PhysicalSize};
use wry::{WebContext, WebViewBuilder, WebViewExtUnix as _};

use super::extract::{self, Answer, Once};
use super::focus::Focus;
use super::page::Page;
use super::{keys, rules, signals, snapshot};
use crate::read;

/// How long a page may take to be read.
const READ_TIME: Duration = Duration::from_secs(5);
/// How long a page may take to say whether something was typed into it.
const UNSAVED_TIME: Duration = Duration::from_secs(2);
/// How long a picture may take.
const PICTURE_TIME: Duration = Duration::from_secs(2);
/// How long a page's process may be deaf when something else is to be loaded; then it is ended.
const DEAF_TIME: Duration = Duration::from_secs(3);
/// How often words are counted in a page.
const MOST_MATCHES: u32 = 1_000;
/// The largest and the smallest zoom.
const ZOOMS: std::ops::RangeInclusive<f32> = 0.25..=5.0;
/// X11 counts sides in 16 bits; a side of nothing is an error.
const SIDES: std::ops::RangeInclusive<u32> = 1..=16_384;
/// And places with a sign.
const PLACES: std::ops::RangeInclusive<i32> = -16_384..=16_384;

/// A page with its view.
pub(super) struct View {
    web: wry::WebView,
    webkit: webkit2gtk::WebView,
    /// The X11 window of the view, which gets its keys.
    window: u32,
    /// Where it was put last.
    place: Cell<PixelRect>,
    /// Whether it is to be seen.
    shown: Cell<bool>,
    /// Whether it takes key presses.
    listens: Cell<bool>,
    page: Rc<Page>,
}

/// What a new view needs of the others.
pub(super) struct Around<'a> {
    pub(super) parent: u32,
    pub(super) context: &'a mut WebContext,
    pub(super) focus: &'a Rc<Focus>,
    pub(super) keys: &'a Rc<RefCell<Vec<Chord>>>,
    pub(super) tell: Rc<dyn Fn(PageEvent)>,
}

impl View {
    /// Makes a view with nothing in it.
    pub(super) fn new(
        id: PageId,
        storage: Storage,
        place: PixelRect,
        visible: bool,
        around: Around<'_>,
    ) -> Result<Self, String> {
        let web = WebViewBuilder::new_with_web_context(around.context)
            .with_devtools(false)
            .with_clipboard(false)
            .with_autoplay(false)
            .with_focused(false)
            .with_back_forward_navigation_gestures(false)
            .with_bounds(bounds(place))
            .with_visible(visible)
            .build_as_child(&parent(around.parent))
            .map_err(|error| error.to_string())?;
        let view = web.webview();
        let window = view.window();
        let window = window.and_then(|window| window.downcast::<gdkx11::X11Window>().ok());
        let window = window.and_then(|window| u32::try_from(window.xid()).ok());
        let window = window.ok_or("the view has no X11 window")?;
        let page = Rc::new(Page::new(id, storage, around.tell));
        take_off(&view, "close");
        if let Some(context) = view.context() {
            take_off(&context, "download-started");
        }
        rules::apply(&view);
        signals::connect(&view, &page);
        connect_keyboard(&view, window, &page, around.focus, around.keys);
        around.focus.watch(window);
        let made = Self {
            web,
            webkit: view,
            window,
            place: Cell::new(place),
            shown: Cell::new(visible),
            listens: Cell::new(false),
            page,
        };
        // The bounds of a view that was not shown yet are not kept, and wry maps one that is to be hidden.
        made.show(visible);
        made.listen(false);
        Ok(made)
    }

    pub(super) fn page(&self) -> &Rc<Page> {
        &self.page
    }

    pub(super) fn webkit(&self) -> &webkit2gtk::WebView {
        &self.webkit
    }

    pub(super) fn window(&self) -> u32 {
        self.window
    }

    pub(super) fn place(&self, place: PixelRect) {
        self.place.set(place);
        let at = if self.shown.get() {
            place
        } else {
            // Not mapped, and out of the window besides: a view that GTK maps by itself must not cover anything.
            PixelRect {
                x: *PLACES.start(),
                y: *PLACES.start(),
                ..place
            }
        };
        report(self.web.set_bounds(bounds(at)));
    }

    pub(super) fn show(&self, visible: bool) {
        self.shown.set(visible);
        report(self.web.set_visible(visible));
        // A hidden view keeps no size, and gets the one it had before when it is shown.
        self.place(self.place.get());
        if visible {
            // GTK makes it take keys again.
            self.listen(self.listens.get());
            // Seen before the keyboard is given to it, which goes by another connection.
            self.webkit.display().sync();
        }
    }

    /// Lets WebKit know that it has the keyboard.
    pub(super) fn grab_keyboard(&self) {
        self.webkit.grab_focus();
    }

    /// Takes key presses or leaves them to the window around. X11 sends a key to the window under the pointer when
    /// that is inside the one with the keyboard.
    pub(super) fn listen(&self, listens: bool) {
        self.listens.set(listens);
        if let Some(window) = self.webkit.window() {
            let keys = EventMask::KEY_PRESS_MASK | EventMask::KEY_RELEASE_MASK;
            let mut mask = window.events();
            mask.set(keys, listens);
            window.set_events(mask);
        }
    }

    pub(super) fn zoom(&self, factor: f32) {
        let factor = factor.clamp(*ZOOMS.start(), *ZOOMS.end());
        self.webkit.set_zoom_level(f64::from(factor));
    }

    pub(super) fn navigate(&self, url: &str) {
        self.go(url, |view| view.load_uri(url));
    }

    pub(super) fn back(&self) {
        let list = self.webkit.back_forward_list();
        let url = list.and_then(|list| list.back_item()?.uri());
        if let Some(url) = url {
            self.go(&url, WebViewExt::go_back);
        }
    }

    pub(super) fn forward(&self) {
        let list = self.webkit.back_forward_list();
        let url = list.and_then(|list| list.forward_item()?.uri());
        if let Some(url) = url {
            self.go(&url, WebViewExt::go_forward);
        }
    }

    pub(super) fn reload(&self) {
        let url = self.page.url.borrow().clone();
        self.go(&url, WebViewExt::reload);
    }

    pub(super) fn stop(&self) {
        if self.page.loading.get() {
            self.page.stops.set(true);
        }
        self.page.arrived.set(true);
        self.webkit.stop_loading();
    }

    /// Goes elsewhere, and sees that it does. A script that never ends keeps its process from loading anything
    /// else, and one that changes the address all the time calls the load off. Then the process is ended.
    fn go(&self, url: &str, go: impl FnOnce(&webkit2gtk::WebView)) {
        self.page.arrived.set(false);
        if self.page.closes.replace(false) {
            self.page.end_process(&self.webkit);
        }
        self.page.wanted.replace(url.to_owned());
        self.page.sends.set(true);
        go(&self.webkit);
        self.page.sends.set(false);
        self.page.goes.set(self.page.goes.get() + 1);
        let (view, page, url) = (self.webkit.clone(), self.page.clone(), url.to_owned());
        let goes = page.goes.get();
        let see = move |is_deaf: bool| {
            let is_stuck = is_deaf || !page.loading.get();
            if page.goes.get() == goes && !page.arrived.get() && is_stuck {
                page.end_process(&view);
                view.load_uri(&url);
            }
        };
        let answered = Rc::new(Cell::new(false));
        let hears = answered.clone();
        let world = Some(read::WORLD);
        self.webkit
            .evaluate_javascript("0", world, None, Cancellable::NONE, move |_| {
                hears.set(true);
            });
        glib::timeout_add_local_once(DEAF_TIME, move || see(!answered.get()));
    }

    pub(super) fn find(&self, words: &str, forward: bool) {
        let Some(finder) = self.webkit.find_controller() else {
            return;
        };
        if words.is_empty() {
            return finder.search_finish();
        }
        let mut options = FindOptions::CASE_INSENSITIVE | FindOptions::WRAP_AROUND;
        if finder.search_text().is_some_and(|before| before == words) {
            if forward {
                finder.search_next();
            } else {
                finder.search_previous();
            }
        } else {
            options.set(FindOptions::BACKWARDS, !forward);
            finder.search(words, options.bits(), MOST_MATCHES);
        }
        options.remove(FindOptions::BACKWARDS);
        finder.count_matches(words, options.bits(), MOST_MATCHES);
    }

    pub(super) fn read(&self, request: u64, version: u64) {
        let page = self.page.clone();
        let refusal = if page.version.get() != version {
            Some(ReadFailure::Changed)
        } else if page.is_on_its_way() {
            Some(ReadFailure::Loading)
        } else if page.failed.get() {
            Some(ReadFailure::Failed)
        } else {
            None
        };
        if let Some(failure) = refusal {
            let outcome = Err(failure);
            return page.tell(PageEvent::Read { request, outcome });
        }
        extract::run(&self.webkit, &read::read_page(), READ_TIME, move |answer| {
            let outcome = if page.version.get() == version {
                match answer {
                    Answer::Words(words) => read::checked(&words, version, &page.url.borrow())
                        .ok_or(ReadFailure::Failed),
                    Answer::Nothing => Err(ReadFailure::Failed),
                    Answer::Late => Err(ReadFailure::Timeout),
                }
            } else {
                Err(ReadFailure::Changed)
            };
            page.tell(PageEvent::Read { request, outcome });
        });
    }

    pub(super) fn check_unsaved(&self, request: u64) {
        let page = self.page.clone();
        let script = read::check_unsaved();
        extract::run(&self.webkit, &script, UNSAVED_TIME, move |answer| {
            let unsaved = !matches!(answer, Answer::Words(words) if words == "false");
            page.tell(PageEvent::Unsaved { request, unsaved });
        });
    }

    pub(super) fn picture(&self, request: u64) {
        let page = self.page.clone();
        let give = move |picture| page.tell(PageEvent::Picture { request, picture });
        let once = Once::new(give, PICTURE_TIME, None);
        snapshot::take(&self.webkit, move |picture| once.give(picture));
    }

    /// Ends the page, also one whose script never ends.
    pub(super) fn close(self) {
        self.page.goes.set(self.page.goes.get() + 1);
        self.page.end_process(&self.webkit);
        drop(self.web);
    }
}

fn connect_keyboard(
    view: &webkit2gtk::WebView,
    window: u32,
    page: &Rc<Page>,
    focus: &Rc<Focus>,
    keys: &Rc<RefCell<Vec<Chord>>>,
) {
    let (of, keys) = (page.clone(), keys.clone());
    view.connect_key_press_event(move |_, event| match keys::chord(event) {
        Some(chord) if keys.borrow().contains(&chord) => {
            of.tell(PageEvent::Pressed { page: of.id, chord });
            glib::Propagation::Stop
        }
        _ => glib::Propagation::Proceed,
    });
    let focus = focus.clone();
    view.connect_button_press_event(move |_, _| {
        focus.give(window);
        glib::Propagation::Proceed
    });
    if let Some(finder) = view.find_controller() {
        let of = page.clone();
        finder.connect_counted_matches(move |_, matches| {
            // WebKit counts to one more, or says the largest number, when there are more.
            let matches = matches.min(MOST_MATCHES);
            of.tell(PageEvent::Found {
                page: of.id,
                matches,
            });
        });
    }
}

/// Takes off every handler of a signal. wry has some that can't be had otherwise: one destroys a view whose page calls
/// `window.close`, though it is the window that closes pages; one lets every download into the person's folder.
#[expect(
    unsafe_code,
    reason = "the bindings have no safe call for taking a handler off"
)]
fn take_off(object: &impl IsA<glib::Object>, signal: &str) {
    let Some(signal) = glib::subclass::SignalId::lookup(signal, object.type_()) else {
        return;
    };
    // SAFETY: the object is alive, the search only compares the handlers' signals with this one, and what it finds
    // is a handler of this object.
    unsafe {
        let object = object.as_ptr().cast();
        let none: glib::ffi::gpointer = std::ptr::null_mut();
        loop {
            let by_signal = glib::gobject_ffi::G_SIGNAL_MATCH_ID;
            let signal = signal.into_glib();
            let handler = glib::gobject_ffi::g_signal_handler_find(
                object,
                by_signal,
                signal,
                0,
                none.cast(),
                none,
                none,
            );
            if handler == 0 {
                return;
            }
            glib::gobject_ffi::g_signal_handler_disconnect(object, handler);
        }
    }
}

#[expect(
    unsafe_code,
    reason = "a window of another program has no owner here to borrow from"
)]
fn parent(window: u32) -> WindowHandle<'static> {
    let raw = RawWindowHandle::Xlib(XlibWindowHandle::new(c_ulong::from(window)));
    // SAFETY: an X11 window is a number, and one that is gone is an error of the server.
    unsafe { WindowHandle::borrow_raw(raw) }
}

fn bounds(place: PixelRect) -> wry::Rect {
    let side = |side: u32| side.clamp(*SIDES.start(), *SIDES.end());
    let from = |from: i32| from.clamp(*PLACES.start(), *PLACES.end());
    wry::Rect {
        position: PhysicalPosition::new(from(place.x), from(place.y)).into(),
        size: PhysicalSize::new(side(place.width), side(place.height)).into(),
    }
}

fn report(done: wry::Result<()>) {
    if let Err(error) = done {
        eprint(&error.to_string());
    }
}

/// The page process's standard error is where the window looks for reasons.
fn eprint(words: &str) {
    use std::io::Write as _;
    drop(writeln!(std::io::stderr(), "{words}"));
}
