//! What the person wants of a page, carried out.

use std::path::PathBuf;

use eframe::egui::Context;
use wisp_engine::protocol::{Refusal, SessionId, TabId, TicketId};

use super::super::app::WindowApp;
use super::Wait;
use crate::bridge::{Job, Place};
use crate::commands::{Command, PageWish};
use crate::pages::{PageCommand, PixelRect, Storage};
use crate::simulation;
use crate::state::EngineState;
use crate::state::tabs::{Content, PageFind, WebTab};

/// Where the sessions' pages keep their things, in the data folder.
const PAGES: &str = "pages";
/// Where downloads go, in the data folder.
const DOWNLOADS: &str = "downloads";
/// A page that has not been seen yet is laid out at this size, in pixels.
const UNSEEN: PixelRect = PixelRect {
    x: 0,
    y: 0,
    width: 800,
    height: 600,
};
/// How large a page can be, and how small.
const ZOOM: std::ops::RangeInclusive<f32> = 0.3..=3.0;
/// How much larger one step is.
const ZOOM_STEP: f32 = 1.1;

impl WindowApp {
    /// Carries out a wish about a page.
    pub(in crate::window) fn page_wish(&mut self, context: &Context, tab: &TabId, wish: PageWish) {
        let Some(session) = self
            .state
            .previews
            .find(tab)
            .map(|(session, _)| session.clone())
        else {
            return;
        };
        let page = self.page_of(tab);
        let command = match wish {
            PageWish::Go(url) => return self.go_to_page(&session, tab, url),
            PageWish::Reload => return self.reload_page(&session, tab),
            PageWish::Back | PageWish::Forward => {
                // Its button is grey where nothing leads there: a key does nothing then.
                if self.travel(tab, wish == PageWish::Forward).is_err() {
                    return;
                }
                None
            }
            PageWish::Stop => page.map(|page| PageCommand::Stop { page }),
            PageWish::Focus => return self.focus_page(context, tab),
            PageWish::GoOn => {
                self.change_page(tab, |web| web.failure = None);
                None
            }
            PageWish::OpenFind => {
                self.change_page(tab, |web| {
                    web.find.get_or_insert_with(PageFind::default);
                });
                None
            }
            PageWish::Find { words, forward } => {
                self.change_page(tab, |web| {
                    let find = web.find.get_or_insert_with(PageFind::default);
                    if find.words != words {
                        find.matches = None;
                        find.words.clone_from(&words);
                    }
                });
                page.map(|page| PageCommand::Find {
                    page,
                    words,
                    forward,
                })
            }
            PageWish::CloseFind => {
                self.change_page(tab, |web| web.find = None);
                page.map(|page| PageCommand::Find {
                    page,
                    words: String::new(),
                    forward: true,
                })
            }
            PageWish::ZoomIn => return self.zoom_page(tab, |zoom| zoom * ZOOM_STEP),
            PageWish::ZoomOut => return self.zoom_page(tab, |zoom| zoom / ZOOM_STEP),
            PageWish::ZoomReset => return self.zoom_page(tab, |_| 1.0),
            PageWish::Download { download, allow } => {
                return self.answer_download(tab, download, allow);
            }
            PageWish::Leave { ticket, leave } => {
                return self.answer_leave(&session, tab, ticket.as_ref(), leave);
            }
        };
        if let Some(command) = command {
            self.pages.send(command);
        }
    }

    /// What a command of the list means for a web tab; `None` for what is the same with all tabs.
    pub(in crate::window) fn wish_of_page(
        &mut self,
        tab: &TabId,
        command: Command,
    ) -> Option<PageWish> {
        let (_, found) = self.state.previews.find(tab)?;
        let Content::Web(web) = &found.content else {
            return None;
        };
        let find = |forward| PageWish::Find {
            words: web
                .find
                .as_ref()
                .map_or_else(String::new, |find| find.words.clone()),
            forward,
        };
        Some(match command {
            Command::PageBack => PageWish::Back,
            Command::PageForward => PageWish::Forward,
            Command::ReloadTab => PageWish::Reload,
            Command::FindNext => find(true),
            Command::FindPrevious => find(false),
            Command::ZoomIn => PageWish::ZoomIn,
            Command::ZoomOut => PageWish::ZoomOut,
            Command::ZoomReset => PageWish::ZoomReset,
            Command::FindInTab | Command::SearchSessions | Command::FindInSession => {
                self.views.preview.web.focus_find();
                PageWish::OpenFind
            }
            _ => return None,
        })
    }

    /// Goes back in a page's history, or forward, for the person and for a tool alike.
    pub(super) fn travel(&mut self, tab: &TabId, forward: bool) -> Result<(), Refusal> {
        let found = self.state.previews.find(tab);
        let Some(Content::Web(web)) = found.map(|(_, tab)| &tab.content) else {
            return Err(Refusal::NoTab);
        };
        let leads = if forward { web.forward } else { web.back };
        if !leads {
            return Err(Refusal::NoHistory);
        }
        let page = web.page.ok_or(Refusal::Unavailable)?;
        self.pages.send(if forward {
            PageCommand::Forward { page }
        } else {
            PageCommand::Back { page }
        });
        self.leaves(tab);
        Ok(())
    }

    /// Carries out a command in the page that has the keyboard. The keyboard goes to the window where the command
    /// has something to type.
    pub(in crate::window) fn run_in_page(&mut self, context: &Context, command: Command) {
        let focused = self.pages.focused;
        let owner = focused.and_then(|page| self.state.previews.owner_of(page));
        if let Some((_, tab)) = owner
            && let Some(wish) = self.wish_of_page(&tab, command)
        {
            if wish == PageWish::OpenFind {
                self.release_page();
            }
            self.page_wish(context, &tab, wish);
        }
    }

    fn change_page(&mut self, tab: &TabId, change: impl FnOnce(&mut WebTab)) {
        if let Some(Content::Web(web)) =
            (self.state.previews.find_mut(tab)).map(|tab| &mut tab.content)
        {
            change(web);
        }
    }

    fn zoom_page(&mut self, tab: &TabId, zoomed: impl FnOnce(f32) -> f32) {
        self.change_page(tab, |web| {
            web.zoom = zoomed(web.zoom).clamp(*ZOOM.start(), *ZOOM.end());
        });
    }

    /// Shows a page for a tool: in the tab that has it already, or in a new one.
    pub(super) fn open_page(&mut self, session: &SessionId, url: String) -> Result<(), Refusal> {
        let tabs = self.state.previews.of_or_new(session);
        let opened = tabs.open(Content::web(url)).map_err(|_| Refusal::TooMany)?;
        if self.state.current.as_ref() == Some(session) {
            self.unfold_preview();
        }
        self.load_page(session, &opened.tab);
        Ok(())
    }

    /// The same for the person.
    pub(in crate::window) fn open_address(&mut self, session: &SessionId, url: String) {
        if self.open_page(session, url).is_err() {
            self.say_full();
        }
    }

    fn go_to_page(&mut self, session: &SessionId, tab: &TabId, url: String) {
        let page = self.page_of(tab);
        self.change_page(tab, |web| {
            web.url.clone_from(&url);
            web.failure = None;
        });
        if page.is_some() {
            self.leaves(tab);
        }
        match page {
            Some(page) => self.pages.send(PageCommand::Navigate { page, url }),
            None => self.load_page(session, tab),
        }
    }

    /// Loads a tab's page again; one that is gone is opened anew.
    pub(super) fn reload_page(&mut self, session: &SessionId, tab: &TabId) {
        let failed = self
            .state
            .previews
            .find(tab)
            .and_then(|(_, tab)| match &tab.content {
                Content::Web(web) => web.failure.is_some().then(|| web.url.clone()),
                _ => None,
            });
        match (self.page_of(tab), failed) {
            // What failed is not in the view, so that a reload of the view would bring what was there before.
            (Some(_), Some(url)) => self.go_to_page(session, tab, url),
            (Some(page), None) => {
                self.pages.send(PageCommand::Reload { page });
                self.leaves(tab);
            }
            (None, _) => self.load_page(session, tab),
        }
    }

    /// A page is on its way elsewhere by the window's wish: until the host tells more, it counts as loading.
    pub(super) fn leaves(&mut self, tab: &TabId) {
        self.change_page(tab, |web| web.loading = true);
        if let Some(tab) = self.state.previews.find_mut(tab) {
            tab.bump();
        }
    }

    /// Gives a web tab that has no page one, if pages can be shown.
    pub(in crate::window) fn load_page(&mut self, session: &SessionId, tab: &TabId) {
        let Some(Content::Web(web)) = self.state.previews.find(tab).map(|(_, tab)| &tab.content)
        else {
            return;
        };
        if web.page.is_some() || self.pages.host.is_none() {
            return;
        }
        let (url, zoom) = (web.url.clone(), web.zoom);
        if !std::mem::replace(&mut self.pages.told_keys, true) {
            let chords = crate::commands::chords();
            self.pages.send(PageCommand::Shortcuts { chords });
        }
        let page = self.pages.next_page();
        self.state.previews.give_page(tab, page);
        self.pages.told.insert(
            page,
            super::Told {
                place: UNSEEN,
                visible: false,
                zoom,
            },
        );
        let storage = self.storage_of(session);
        self.pages.send(PageCommand::Open {
            page,
            url,
            storage,
            place: UNSEEN,
            visible: false,
            zoom,
        });
    }

    /// Where a session's pages keep their things. Another session's are elsewhere.
    fn storage_of(&self, session: &SessionId) -> Storage {
        let home = self.data_folder();
        Storage {
            data: home.join(PAGES).join(session.as_str()),
            downloads: home.join(DOWNLOADS).join(session.as_str()),
        }
    }

    /// The data folder of the sessions that are shown.
    fn data_folder(&self) -> PathBuf {
        match self.place {
            Place::Real => self.state.settings.home.clone(),
            Place::Simulated => simulation::home(&self.state.settings.home),
        }
    }

    /// What pages of sessions that are gone have kept goes too. Downloads are the person's, and stay.
    pub(in crate::window) fn sweep_pages(&mut self) {
        // Only while it is certain whose sessions these are: another engine may be on its way.
        let runs = match self.place {
            Place::Real => EngineState::Ready,
            Place::Simulated => EngineState::Simulated,
        };
        if !self.state.sessions.loaded || self.state.engine != runs {
            return;
        }
        let keep = self.state.sessions.ids().cloned().collect();
        let folder = self.data_folder().join(PAGES);
        self.job(Job::SweepPages { folder, keep });
    }

    /// Before a web tab is closed: asks its page whether something would be lost. Tells whether an answer is
    /// waited for; without a page that is alive there is nothing to lose.
    pub(in crate::window) fn ask_unsaved(
        &mut self,
        session: &SessionId,
        tab: &TabId,
        ticket: Option<&TicketId>,
    ) -> bool {
        let Some(page) = self.page_of(tab) else {
            return false;
        };
        let request = self.pages.next_request(Wait::Unsaved {
            session: session.clone(),
            tab: tab.clone(),
            ticket: ticket.cloned(),
        });
        self.pages.send(PageCommand::CheckUnsaved { page, request });
        true
    }
}
