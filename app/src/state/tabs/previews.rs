//! The tabs of all sessions. A session has its own as long as the program runs; it sees no other's.

use std::collections::HashMap;

use wisp_engine::protocol::{SessionId, TabId};

use crate::pages::PageId;

use super::content::{Content, Tab};
use super::strip::Tabs;
use super::web::WebTab;

/// Every session's tabs.
#[derive(Debug, Default)]
pub struct Previews {
    sessions: HashMap<SessionId, Tabs>,
    /// The session that was on screen last.
    shown: Option<SessionId>,
}

impl Previews {
    /// A session's tabs, if it ever had some.
    pub fn of(&self, session: &SessionId) -> Option<&Tabs> {
        self.sessions.get(session)
    }

    /// The same, to change.
    pub fn of_mut(&mut self, session: &SessionId) -> Option<&mut Tabs> {
        self.sessions.get_mut(session)
    }

    /// The same, made where there are none yet.
    pub fn of_or_new(&mut self, session: &SessionId) -> &mut Tabs {
        self.sessions.entry(session.clone()).or_default()
    }

    /// The session that was on screen last.
    pub fn shown(&self) -> Option<&SessionId> {
        self.shown.as_ref()
    }

    /// Another session is on screen, or none. What was listed of the one before is no longer true, and what can
    /// be read again of it is let go. Tells whether it is another one than before.
    pub fn switch(&mut self, session: Option<&SessionId>) -> bool {
        if self.shown.as_ref() == session {
            return false;
        }
        let left = std::mem::replace(&mut self.shown, session.cloned());
        for id in left.iter().chain(session) {
            if let Some(tabs) = self.sessions.get_mut(id) {
                tabs.bump_all();
            }
        }
        if let Some(tabs) = left.and_then(|left| self.sessions.get_mut(&left)) {
            tabs.forget_texts();
        }
        true
    }

    /// A session is deleted, and its tabs with it.
    pub fn forget(&mut self, session: &SessionId) {
        self.sessions.remove(session);
    }

    /// Every page that some tab shows. A host's page that is not among them is to be closed.
    pub fn pages(&self) -> impl Iterator<Item = PageId> + '_ {
        (self.sessions.values())
            .flat_map(Tabs::iter)
            .filter_map(|tab| match &tab.content {
                Content::Web(web) => web.page,
                _ => None,
            })
    }

    /// Every web tab.
    pub fn web_tabs(&self) -> impl Iterator<Item = &WebTab> + '_ {
        (self.sessions.values())
            .flat_map(Tabs::iter)
            .filter_map(|tab| match &tab.content {
                Content::Web(web) => Some(&**web),
                _ => None,
            })
    }

    /// A tab by its name, whosever it is.
    pub fn find(&self, id: &TabId) -> Option<(&SessionId, &Tab)> {
        (self.sessions.iter()).find_map(|(session, tabs)| Some((session, tabs.get(id)?)))
    }

    /// The same, to change.
    pub fn find_mut(&mut self, id: &TabId) -> Option<&mut Tab> {
        (self.sessions.values_mut()).find_map(|tabs| tabs.get_mut(id))
    }

    /// Whose page it is: its session and tab.
    pub fn owner_of(&self, page: PageId) -> Option<(SessionId, TabId)> {
        self.sessions.iter().find_map(|(session, tabs)| {
            let (tab, _) = tabs.of_page(page)?;
            Some((session.clone(), tab.id.clone()))
        })
    }

    /// The tabs that a page belongs to, to change.
    pub fn tabs_of_page(&mut self, page: PageId) -> Option<&mut Tabs> {
        let (session, _) = self.owner_of(page)?;
        self.sessions.get_mut(&session)
    }

    /// The sessions with a change that is not kept, and that tab.
    pub fn dirty(&self) -> impl Iterator<Item = (&SessionId, &TabId)> {
        self.sessions.iter().flat_map(|(session, tabs)| {
            (tabs.iter())
                .filter(|tab| tab.content.is_dirty())
                .map(move |tab| (session, &tab.id))
        })
    }
}
