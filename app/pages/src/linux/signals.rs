//! What WebKit says of a page, told to the window, and what a page may go to.

use std::rc::Rc;

use gtk::prelude::*;
use webkit2gtk::{
    LoadEvent, NavigationPolicyDecision, NavigationPolicyDecisionExt as _, NavigationType,
    PolicyDecision, PolicyDecisionExt as _, PolicyDecisionType, ResponsePolicyDecision,
    ResponsePolicyDecisionExt as _, URIRequestExt as _, URIResponseExt as _,
    WebProcessTerminationReason, WebView, WebViewExt as _,
};
use wisp::pages::{FailureKind, PageEvent};

use super::failures::{Ended, ended, failure};
use super::page::Page;
use crate::policy::{BLANK, MOST_TITLE, cut, may_frame, may_open, may_show};
use crate::read::plain;

/// After so many redirects a failure without a code is about them. WebKit follows twenty.
const MANY_REDIRECTS: u32 = 15;
/// The mouse button that opens a link beside the page.
const MIDDLE: u32 = 2;

/// Follows a view from now on.
pub(super) fn connect(view: &WebView, page: &Rc<Page>) {
    let of = page.clone();
    view.connect_load_changed(move |view, event| loads(view, &of, event));
    let of = page.clone();
    view.connect_load_failed(move |view, _, url, error| {
        load_failed(view, &of, url, ended(error));
        true
    });
    let of = page.clone();
    view.connect_load_failed_with_tls_errors(move |view, url, _, errors| {
        let words = failure(FailureKind::Certificate, &format!("{errors:?}"));
        load_failed(view, &of, url, Ended::Failed(words));
        true
    });
    let of = page.clone();
    view.connect_uri_notify(move |view| address_changed(view, &of));
    let of = page.clone();
    view.connect_title_notify(move |view| tell_title(view, &of));
    let of = page.clone();
    view.connect_estimated_load_progress_notify(move |view| {
        if of.loading.get() {
            #[expect(clippy::cast_possible_truncation, reason = "a share needs no more")]
            let share = view.estimated_load_progress() as f32;
            of.tell(PageEvent::Progress { page: of.id, share });
        }
    });
    let of = page.clone();
    view.connect_decide_policy(move |view, decision, kind| decide(view, &of, decision, kind));
    let of = page.clone();
    view.connect_create(move |_, action| {
        if action.is_user_gesture()
            && let Some(url) = action.request().and_then(|request| request.uri())
        {
            wants_tab(&of, &url);
        }
        None
    });
    let of = page.clone();
    view.connect_close(move |_| of.closes.set(true));
    let of = page.clone();
    view.connect_web_process_terminated(move |_, reason| crashed(&of, reason));
}

fn loads(view: &WebView, page: &Page, event: LoadEvent) {
    let url = view.uri().unwrap_or_default();
    match event {
        LoadEvent::Started => {
            page.failed.set(false);
            page.redirects.set(0);
            page.stops.set(false);
            page.loading.set(true);
            page.moves(&url);
        }
        LoadEvent::Redirected => {
            page.redirects.set(page.redirects.get() + 1);
            page.moves(&url);
        }
        LoadEvent::Committed => {
            page.arrived.set(true);
            page.moves(&url);
            tell_history(view, page);
        }
        LoadEvent::Finished if page.loading.replace(false) => {
            let version = page.version.get();
            let page_id = page.id;
            page.tell(PageEvent::Finished {
                page: page_id,
                version,
            });
            tell_history(view, page);
        }
        _ => {}
    }
    if event != LoadEvent::Finished && !may_show(&url) {
        view.stop_loading();
        if event == LoadEvent::Committed {
            view.load_uri(BLANK);
        }
        refuse(page, &url);
    }
}

fn load_failed(view: &WebView, page: &Page, url: &str, ended: Ended) {
    page.loading.set(false);
    if ended != Ended::Cancelled {
        page.arrived.set(true);
    }
    let refused = page.refused.take();
    match ended {
        Ended::Failed(mut words) if refused.is_none() => {
            if words.kind == FailureKind::Other && page.redirects.get() >= MANY_REDIRECTS {
                words.kind = FailureKind::Redirects;
            }
            page.failed.set(words.kind != FailureKind::Address);
            if words.kind == FailureKind::Address {
                stays(view, page);
            }
            page.fails(url, words);
        }
        _ => {
            stays(view, page);
            if let Some(refused) = refused {
                page.fails(&refused, failure(FailureKind::Address, ""));
            } else if page.stops.replace(false) {
                page.fails(url, failure(FailureKind::Stopped, ""));
            }
        }
    }
}

/// What was there stays, under its address and title.
fn stays(view: &WebView, page: &Page) {
    page.moves(&view.uri().unwrap_or_default());
    tell_title(view, page);
}

fn tell_title(view: &WebView, page: &Page) {
    let title = view.title().unwrap_or_default();
    let title = plain(cut(&title, MOST_TITLE));
    page.tell(PageEvent::Title {
        page: page.id,
        title,
    });
}

/// The address has changed: by a load, which says more of itself, or within the same document.
fn address_changed(view: &WebView, page: &Page) {
    let url = view.uri().unwrap_or_default();
    if !url.is_empty() && *page.url.borrow() != url.as_str() && may_show(&url) {
        let is_wanted = *page.wanted.borrow() == url.as_str();
        if is_wanted && !page.sends.get() && !page.loading.get() {
            // The page itself says so, and no load follows: it has gone to a place within the document.
            page.arrived.set(true);
        }
        page.moves(&url);
        tell_history(view, page);
    }
}

fn tell_history(view: &WebView, page: &Page) {
    page.tell(PageEvent::History {
        page: page.id,
        back: view.can_go_back(),
        forward: view.can_go_forward(),
    });
}

fn crashed(page: &Page, reason: WebProcessTerminationReason) {
    if page.ends.replace(false) {
        return;
    }
    let was_on_its_way = page.loading.replace(false);
    page.arrived.set(true);
    page.failed.set(true);
    let words = match reason {
        WebProcessTerminationReason::ExceededMemoryLimit => "it used too much memory",
        // That is how WebKit refuses, before anybody here is asked.
        _ if was_on_its_way => "its process ended, as it does when a page is sent to a file",
        _ => "its process ended",
    };
    let url = page.url.borrow().clone();
    page.fails(&url, failure(FailureKind::Crashed, words));
}

/// Whether a page goes where it wants to. WebKit doesn't tell whether the whole page or a frame in it does; what only
/// a frame may show is refused for the whole page when it starts to load.
fn decide(
    view: &WebView,
    page: &Rc<Page>,
    decision: &PolicyDecision,
    kind: PolicyDecisionType,
) -> bool {
    match kind {
        PolicyDecisionType::NavigationAction => {
            if let Some(decision) = decision.downcast_ref::<NavigationPolicyDecision>() {
                navigation(page, decision);
            } else {
                decision.ignore();
            }
        }
        PolicyDecisionType::NewWindowAction => {
            let decided = decision.downcast_ref::<NavigationPolicyDecision>();
            let action = decided.and_then(NavigationPolicyDecision::navigation_action_of);
            if let Some((url, true)) = action {
                wants_tab(page, &url);
            }
            decision.ignore();
        }
        PolicyDecisionType::Response => {
            let response = decision.downcast_ref::<ResponsePolicyDecision>();
            match response {
                Some(response) if is_download(response) => decision.download(),
                Some(_) => decision.use_(),
                None => decision.ignore(),
            }
        }
        _ => {
            view.stop_loading();
            decision.ignore();
        }
    }
    true
}

fn navigation(page: &Rc<Page>, decision: &NavigationPolicyDecision) {
    let Some((url, gesture)) = decision.navigation_action_of() else {
        return decision.ignore();
    };
    if !may_frame(&url) {
        decision.ignore();
        return refuse(page, &url);
    }
    let beside = decision.navigation_action().is_some_and(|action| {
        let control = gtk::gdk::ModifierType::CONTROL_MASK.bits();
        action.navigation_type() == NavigationType::LinkClicked
            && (action.mouse_button() == MIDDLE || action.modifiers() & control != 0)
    });
    if beside && gesture {
        decision.ignore();
        return wants_tab(page, &url);
    }
    decision.use_();
}

/// An action's address, and whether the person brought it about.
trait ActionOf {
    fn navigation_action_of(&self) -> Option<(gtk::glib::GString, bool)>;
}

impl ActionOf for NavigationPolicyDecision {
    fn navigation_action_of(&self) -> Option<(gtk::glib::GString, bool)> {
        let action = self.navigation_action()?;
        let url = action.request()?.uri()?;
        Some((url, action.is_user_gesture()))
    }
}

/// What can't be shown, and what its server wants to be kept.
fn is_download(decision: &ResponsePolicyDecision) -> bool {
    if !decision.is_mime_type_supported() {
        return true;
    }
    let headers = decision
        .response()
        .and_then(|response| response.http_headers());
    let wanted = headers.and_then(|headers| headers.one("Content-Disposition"));
    wanted.is_some_and(|wanted| {
        let kind = wanted.split(';').next().unwrap_or_default().trim();
        kind.eq_ignore_ascii_case("attachment")
    })
}

fn wants_tab(page: &Page, url: &str) {
    if may_open(url) {
        page.tell(PageEvent::WantsTab {
            page: page.id,
            url: url.to_owned(),
        });
    }
}

fn refuse(page: &Page, url: &str) {
    page.arrived.set(true);
    if page.loading.get() {
        // Told once more when the load has ended, after where the page is then.
        page.refused.replace(Some(url.to_owned()));
    }
    page.fails(url, failure(FailureKind::Address, ""));
}
