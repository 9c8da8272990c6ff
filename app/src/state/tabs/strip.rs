//! The tabs of one session in their order, and which one is in front.

use wisp_engine::protocol::{TabId, TabInfo};

use crate::pages::PageId;

use super::content::{Content, Tab};
use super::ids::new_tab_id;
use super::web::WebTab;

/// How many tabs a session may have.
pub const MOST_TABS: usize = 40;
/// How many closed tabs can be opened again; the oldest goes.
const CLOSED_KEPT: usize = 20;
/// How many files and pages a new tab offers.
const RECENT_KEPT: usize = 12;

/// A session's tabs.
#[derive(Debug, Default)]
pub struct Tabs {
    list: Vec<Tab>,
    /// The place of the one in front; of no meaning when there are no tabs.
    active: usize,
    closed: Vec<Closed>,
    recent: Vec<Content>,
}

#[derive(Debug)]
struct Closed {
    place: usize,
    content: Content,
}

/// What opening came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// The tab, which is in front now.
    pub tab: TabId,
    /// Whether it was made for this.
    pub new: bool,
}

/// The session has [`MOST_TABS`] tabs already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

impl Tabs {
    /// In the order shown.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Tab> {
        self.list.iter()
    }

    /// The same, to change.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = &mut Tab> {
        self.list.iter_mut()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The one in front.
    pub fn active(&self) -> Option<&Tab> {
        self.list.get(self.active)
    }

    /// The same, to change.
    pub fn active_mut(&mut self) -> Option<&mut Tab> {
        self.list.get_mut(self.active)
    }

    /// Whether a tab is the one in front.
    pub fn is_active(&self, id: &TabId) -> bool {
        self.active().is_some_and(|tab| tab.id == *id)
    }

    /// A tab by its name.
    pub fn get(&self, id: &TabId) -> Option<&Tab> {
        self.list.iter().find(|tab| tab.id == *id)
    }

    /// The same, to change.
    pub fn get_mut(&mut self, id: &TabId) -> Option<&mut Tab> {
        self.list.iter_mut().find(|tab| tab.id == *id)
    }

    /// Where a tab stands, counted from 0.
    pub fn place(&self, id: &TabId) -> Option<usize> {
        self.list.iter().position(|tab| tab.id == *id)
    }

    /// The web tab of a host's page.
    pub fn of_page(&self, page: PageId) -> Option<(&Tab, &WebTab)> {
        self.list.iter().find_map(|tab| match &tab.content {
            Content::Web(web) if web.page == Some(page) => Some((tab, &**web)),
            _ => None,
        })
    }

    /// The same, to change; with the tab's version, which grows whenever the page shows something else.
    pub fn of_page_mut(&mut self, page: PageId) -> Option<(&TabId, &mut u64, &mut WebTab)> {
        self.list.iter_mut().find_map(|tab| match &mut tab.content {
            Content::Web(web) if web.page == Some(page) => {
                Some((&tab.id, &mut tab.version, &mut **web))
            }
            _ => None,
        })
    }

    /// Brings what is open already to the front, or opens it in a new tab behind the last one.
    pub fn open(&mut self, content: Content) -> Result<Opened, Full> {
        self.note_recent(&content);
        if let Some(place) = self.find(&content) {
            return Ok(self.come_to(place, content));
        }
        let place = self.list.len();
        let tab = self.insert(place, content)?;
        Ok(Opened { tab, new: true })
    }

    /// Shows something in a tab that is there, in place of what it shows. What is open elsewhere already comes
    /// to the front, and the tab goes when it was a new one. `None` when there is no such tab.
    pub fn fill(&mut self, id: &TabId, content: Content) -> Option<Opened> {
        let place = self.place(id)?;
        self.note_recent(&content);
        match self.find(&content) {
            Some(found) if found != place => {
                let opened = self.come_to(found, content);
                if matches!(self.list.get(place)?.content, Content::New(_)) {
                    self.remove(place);
                }
                Some(opened)
            }
            _ => {
                let tab = self.list.get_mut(place)?;
                tab.content = content;
                tab.bump();
                self.active = place;
                let tab = id.clone();
                Some(Opened { tab, new: false })
            }
        }
    }

    fn find(&self, content: &Content) -> Option<usize> {
        (self.list.iter()).position(|tab| tab.content.is_same(content))
    }

    /// To the front with what shows it already; a line to go to is handed on.
    fn come_to(&mut self, place: usize, content: Content) -> Opened {
        self.active = place;
        let tab = self.list.get_mut(place);
        let id = tab.map_or_else(new_tab_id, |tab| {
            if let (Content::File(shown), Content::File(wanted)) = (&mut tab.content, content) {
                shown.go_to = wanted.go_to.or(shown.go_to);
            }
            tab.id.clone()
        });
        Opened {
            tab: id,
            new: false,
        }
    }

    fn insert(&mut self, place: usize, content: Content) -> Result<TabId, Full> {
        if self.list.len() >= MOST_TABS {
            return Err(Full);
        }
        let id = new_tab_id();
        let place = place.min(self.list.len());
        self.list.insert(
            place,
            Tab {
                id: id.clone(),
                version: 1,
                content,
            },
        );
        self.active = place;
        Ok(id)
    }

    /// Brings a tab to the front. Tells whether there is one of that name.
    pub fn show(&mut self, id: &TabId) -> bool {
        let place = self.place(id);
        self.active = place.unwrap_or(self.active);
        place.is_some()
    }

    /// Closes a tab, without a question. The one to its right comes to the front, or else the one to its left;
    /// closing a tab in the background changes nothing about the front. Gives what it showed.
    pub fn close(&mut self, id: &TabId) -> Option<Content> {
        let place = self.place(id)?;
        let tab = self.remove(place)?;
        if let Some(content) = tab.content.remembered() {
            if self.closed.len() >= CLOSED_KEPT {
                self.closed.remove(0);
            }
            self.closed.push(Closed { place, content });
        }
        Some(tab.content)
    }

    fn remove(&mut self, place: usize) -> Option<Tab> {
        if place >= self.list.len() {
            return None;
        }
        let tab = self.list.remove(place);
        if place < self.active {
            self.active -= 1;
        }
        self.active = self.active.min(self.list.len().saturating_sub(1));
        Some(tab)
    }

    /// Opens the tab that was closed last once more, where it was. `None` when there is none.
    pub fn reopen(&mut self) -> Result<Option<Opened>, Full> {
        let Some(closed) = self.closed.pop() else {
            return Ok(None);
        };
        if let Some(place) = self.find(&closed.content) {
            return Ok(Some(self.come_to(place, closed.content)));
        }
        if self.list.len() >= MOST_TABS {
            self.closed.push(closed);
            return Err(Full);
        }
        let tab = self.insert(closed.place, closed.content)?;
        Ok(Some(Opened { tab, new: true }))
    }

    /// Whether a closed tab can be opened again.
    pub fn can_reopen(&self) -> bool {
        !self.closed.is_empty()
    }

    /// Moves a tab to another place, counted from 0. The one in front stays in front.
    pub fn move_to(&mut self, id: &TabId, place: usize) {
        let Some(from) = self.place(id) else {
            return;
        };
        let front = self.active().map(|tab| tab.id.clone());
        let tab = self.list.remove(from);
        self.list.insert(place.min(self.list.len()), tab);
        if let Some(front) = front {
            self.show(&front);
        }
    }

    /// The next one comes to the front, after the last the first.
    pub fn next(&mut self) {
        self.turn(1);
    }

    /// The one before comes to the front, before the first the last.
    pub fn previous(&mut self) {
        self.turn(self.list.len().saturating_sub(1));
    }

    fn turn(&mut self, by: usize) {
        if !self.list.is_empty() {
            self.active = (self.active + by) % self.list.len();
        }
    }

    /// The one at this place comes to the front, counted from 1; from 9 on it is the last.
    pub fn nth(&mut self, place: usize) {
        let last = self.list.len();
        let wanted = if place >= 9 { last } else { place };
        if (1..=last).contains(&wanted) {
            self.active = wanted - 1;
        }
    }

    /// A tab shows something else now.
    pub fn bump(&mut self, id: &TabId) {
        if let Some(tab) = self.get_mut(id) {
            tab.bump();
        }
    }

    /// All of them count as changed: what was listed before is no longer true.
    pub fn bump_all(&mut self) {
        self.list.iter_mut().for_each(Tab::bump);
    }

    /// What a tool may know of them, in the order shown.
    pub fn list(&self) -> Vec<TabInfo> {
        (self.list.iter().enumerate())
            .map(|(place, tab)| tab.info(place == self.active))
            .collect()
    }

    fn note_recent(&mut self, content: &Content) {
        let Some(content) = content.remembered() else {
            return;
        };
        self.recent.retain(|known| !known.is_same(&content));
        self.recent.insert(0, content);
        self.recent.truncate(RECENT_KEPT);
    }

    /// The files, folders and pages that were opened, the last one first.
    pub fn recent(&self) -> &[Content] {
        &self.recent
    }

    /// Lets go of what can be read again, when the session is no longer on screen.
    pub(super) fn forget_texts(&mut self) {
        for tab in &mut self.list {
            if let Content::File(file) = &mut tab.content {
                file.forget_text();
            }
        }
    }
}
