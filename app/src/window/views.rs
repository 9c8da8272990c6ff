//! What is only on screen: where lists are scrolled to, what is being typed in dialogs, which parts are shown.

use eframe::egui::Id;
use wisp_engine::protocol::{SessionId, TicketId};

use super::dialogs::Dialog;
use super::qa::Picture;
use crate::chat::ChatView;
use crate::preview::PreviewView;
use crate::settings::SettingsView;
use crate::sidebar::SidebarView;
use crate::state::AppState;
use crate::welcome::WelcomeView;

/// All of it.
#[derive(Debug, Default)]
pub struct Views {
    /// Which parts are shown.
    pub shown: Shown,
    /// Whether the window is too narrow for the sidebar.
    pub(super) narrow: bool,
    /// The sidebar.
    pub sidebar: SidebarView,
    /// The conversation.
    pub chat: ChatView,
    /// The tabs at the right.
    pub preview: PreviewView,
    /// The first look.
    pub welcome: WelcomeView,
    /// The settings.
    pub settings: SettingsView,
    /// The dialog over all, if one is open.
    pub dialog: Option<Dialog>,
    /// What had the focus when the dialog opened; goes back to it.
    pub(super) focus_before: Option<Id>,
    /// Whether the open dialog has been drawn already.
    pub(super) dialog_drawn: bool,
    /// What gets the keyboard back from the dialog that was closed in the last frame.
    pub(super) focus_again: Option<Id>,
    /// The picture of the window that the QA panel waits for.
    pub qa_picture: Option<Picture>,
}

/// Which parts of the window are shown.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    /// The sidebar.
    pub sidebar: bool,
}

impl Default for Shown {
    fn default() -> Self {
        Self { sidebar: true }
    }
}

impl Views {
    /// Whether a dialog takes the keys.
    pub fn has_dialog(&self) -> bool {
        self.dialog.is_some()
    }

    /// A tool's question is no longer waited for: it goes away.
    pub(super) fn drop_question_of(&mut self, asked: &TicketId) {
        if matches!(&self.dialog, Some(Dialog::LeavePage { ticket: Some(ticket), .. }) if ticket == asked)
        {
            self.dialog = None;
        }
    }

    /// Opens the palette of commands.
    pub fn open_palette(&mut self) {
        self.dialog = Some(Dialog::Palette(super::palette::PaletteView::default()));
    }

    /// Asks for a session's new title.
    pub fn start_rename(&mut self, state: &AppState, session: &SessionId) {
        if let Some(summary) = state.sessions.summary(session) {
            self.dialog = Some(Dialog::Rename {
                session: session.clone(),
                title: summary.title.clone(),
            });
        }
    }

    /// Gives the focus to the message field, which a narrow window may have covered.
    pub fn focus_message(&mut self) {
        self.preview.stand_back();
        self.chat.focus_message();
    }

    /// Gives the focus to the next or the previous part of the window: the list of sessions, what asks, the
    /// message, the tabs.
    pub fn next_pane(&mut self, forward: bool) {
        let panes = [
            (Pane::Sidebar, self.shown.sidebar && !self.narrow),
            (Pane::Card, self.chat.card_is_shown()),
            (Pane::Message, true),
            (Pane::Preview, self.preview.is_there()),
        ];
        let there: Vec<Pane> = (panes.into_iter())
            .filter_map(|(pane, there)| there.then_some(pane))
            .collect();
        let now = if self.preview.has_focus() {
            Pane::Preview
        } else if self.chat.card_has_focus() {
            Pane::Card
        } else if self.chat.has_focus() {
            Pane::Message
        } else {
            Pane::Sidebar
        };
        let step = if forward {
            1
        } else {
            there.len().saturating_sub(1)
        };
        let place = there.iter().position(|pane| *pane == now);
        let next = match place {
            Some(place) => (place + step) % there.len().max(1),
            // The sidebar is not there and nothing else has the keyboard.
            None => 0,
        };
        match there.get(next) {
            Some(Pane::Sidebar) => self.sidebar.focus_list(),
            Some(Pane::Card) => {
                self.preview.stand_back();
                self.chat.focus_card();
            }
            Some(Pane::Preview) => self.preview.take_focus(),
            Some(Pane::Message) | None => self.focus_message(),
        }
    }
}

/// A part of the window that F6 stops at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pane {
    Sidebar,
    Card,
    Message,
    Preview,
}

#[cfg(test)]
mod tests {
    use wisp_engine::protocol::TabId;

    use super::*;

    #[test]
    fn a_question_goes_away_with_its_own_ticket_only() {
        let mut views = Views {
            dialog: Some(Dialog::LeavePage {
                tab: TabId::new("tab"),
                ticket: Some(TicketId::new("one")),
            }),
            ..Views::default()
        };
        views.drop_question_of(&TicketId::new("two"));
        assert!(views.has_dialog());
        views.drop_question_of(&TicketId::new("one"));
        assert!(!views.has_dialog());
    }
}
