//! What is only on screen: where lists are scrolled to, what is being typed in dialogs, which parts are shown.

use eframe::egui::Id;
use wisp_engine::protocol::SessionId;

use super::dialogs::Dialog;
use super::qa::Picture;
use crate::chat::ChatView;
use crate::settings::SettingsView;
use crate::sidebar::SidebarView;
use crate::state::AppState;
use crate::welcome::WelcomeView;

/// All of it.
#[derive(Debug, Default)]
pub struct Views {
    /// Which parts are shown.
    pub shown: Shown,
    /// The sidebar.
    pub sidebar: SidebarView,
    /// The conversation.
    pub chat: ChatView,
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

    /// Gives the focus to the next part of the window: the list of sessions, what asks, the message.
    pub fn next_pane(&mut self) {
        if self.chat.has_focus() && self.shown.sidebar {
            self.sidebar.focus_list();
        } else if self.chat.card_is_shown() && !self.chat.card_has_focus() {
            self.chat.focus_card();
        } else {
            self.chat.focus_message();
        }
    }
}
