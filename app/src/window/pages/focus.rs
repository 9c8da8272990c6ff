//! Who has the keyboard: the window or one of its pages.
//!
//! The host moves it, so that the window learns what came of a wish some time after it. Each command about the
//! keyboard has a number, and what the host tells says which command it had carried out by then: what was overtaken
//! by a later wish is passed over. Until the host tells more, a wish counts as fulfilled.

use eframe::egui::{Context, Memory};
use wisp_engine::protocol::TabId;

use super::super::app::WindowApp;
use crate::pages::{PageCommand, PageId};
use crate::state::tabs::Tabs;

impl WindowApp {
    /// A page gets the keyboard as soon as it is seen.
    pub(super) fn focus_page(&mut self, context: &Context, tab: &TabId) {
        if let Some(page) = self.page_of(tab) {
            surrender(context);
            self.pages.wants_focus = Some(page);
        }
    }

    /// Gives the keyboard back to the window, if a page has it.
    pub(in crate::window) fn release_page(&mut self) {
        self.pages.wants_focus = None;
        if self.pages.focused.take().is_some() {
            let turn = self.pages.next_turn();
            self.pages.send(PageCommand::ReleaseFocus { turn });
        }
    }

    /// Takes in where the host says that the keyboard is.
    pub(super) fn take_page_focus(
        &mut self,
        context: &Context,
        page: PageId,
        held: bool,
        turn: u64,
    ) {
        if turn != self.pages.turn {
            return;
        }
        if held {
            self.pages.focused = Some(page);
            // Nothing of egui's may look as if it had the keyboard.
            surrender(context);
        } else if self.pages.focused == Some(page) {
            self.pages.focused = None;
        }
    }

    /// After a frame: a page that is no longer seen can't have the keyboard, and something of the window's that wants
    /// it gets it.
    pub(super) fn settle_focus(&mut self, context: &Context, shown: Option<PageId>) {
        let wanted = context.memory(Memory::focused).is_some();
        let asks = self.views.has_dialog();
        if let Some(focused) = self.pages.focused
            && (wanted || shown != Some(focused))
        {
            self.release_page();
            // Whoever was typing in the page goes on typing there after a question.
            self.pages.wants_focus = Some(focused).filter(|_| asks);
        }
        let Some(page) = self.pages.wants_focus.filter(|_| !asks) else {
            return;
        };
        if wanted || !self.is_in_front(page) {
            self.pages.wants_focus = None;
        } else if shown == Some(page) && self.is_told_visible(page) && self.pages.cover.is_none() {
            let turn = self.pages.next_turn();
            self.pages.send(PageCommand::Focus { page, turn });
            self.pages.wants_focus = None;
            self.pages.focused = Some(page);
        }
    }

    /// Whether its tab is the one in front, be the page seen by now or not.
    fn is_in_front(&self, page: PageId) -> bool {
        let front = self.tabs().and_then(Tabs::active);
        front.is_some_and(|tab| self.page_of(&tab.id) == Some(page)) && self.preview_is_shown()
    }

    fn is_told_visible(&self, page: PageId) -> bool {
        (self.pages.told.get(&page)).is_some_and(|told| told.visible)
    }
}

/// Nothing of egui's has the keyboard any more.
fn surrender(context: &Context) {
    context.memory_mut(|memory| {
        if let Some(id) = memory.focused() {
            memory.surrender_focus(id);
        }
    });
}
