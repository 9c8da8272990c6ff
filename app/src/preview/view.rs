//! What is only on screen of the right-hand side.

use std::collections::HashMap;
use std::sync::Arc;

use eframe::egui::{Context, Rect, TextureHandle};
use wisp_engine::protocol::{Preview, TabId};

use super::file_state::FileState;
use super::picture::PictureState;
use super::tab_web::WebView;
use crate::state::tabs::{Tab, Tabs};
use crate::text::diff::DiffCell;
use crate::text::highlight::Highlighter;
use crate::widgets::tab_strip::StripView;

/// Tabs whose places, choices and searches are kept.
const KEPT: usize = 48;

/// It.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is seen or not by itself"
)]
#[derive(Default)]
pub struct PreviewView {
    pub(super) strip: StripView,
    /// The width that was last set, in points.
    pub(super) width: Option<f32>,
    pub(super) dragging: bool,
    /// Whether the window is too narrow for both, so that either the tabs or the conversation are seen.
    pub(super) narrow: bool,
    /// In a narrow window: whether the tabs are what is seen.
    pub(super) in_front: bool,
    /// Whether there are tabs to be seen.
    pub(super) there: bool,
    pub(super) wants_focus: bool,
    focused: bool,
    /// Whether a web page has the keyboard.
    pub page_focused: bool,
    pub(super) files: HashMap<TabId, FileState>,
    pub(super) pictures: HashMap<TabId, Decoded>,
    pub(super) picture_states: HashMap<TabId, PictureState>,
    pub(super) diffs: HashMap<TabId, Option<DiffCell>>,
    pub(super) highlighter: Option<Highlighter>,
    pub(super) wish: Option<FileWish>,
    /// Web pages.
    pub web: WebView,
}

/// A picture, and what it was decoded from.
pub(super) struct Decoded {
    pub(super) what: Arc<Preview>,
    pub(super) picture: Option<(TextureHandle, [u32; 2])>,
}

/// What the file in front is asked to do in the next frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileWish {
    Find,
    Next(bool),
    Line,
}

impl std::fmt::Debug for PreviewView {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PreviewView")
            .field("narrow", &self.narrow)
            .field("in_front", &self.in_front)
            .field("focused", &self.focused)
            .finish_non_exhaustive()
    }
}

impl PreviewView {
    /// Gives the keyboard to the tab in front, and brings it before the conversation in a narrow window.
    pub fn take_focus(&mut self) {
        self.wants_focus = true;
        self.in_front = true;
    }

    /// In a narrow window the conversation is seen again.
    pub fn stand_back(&mut self) {
        self.in_front = false;
        self.wants_focus = false;
    }

    /// A question has come: where there is no room for both it is what is seen, unless the person is typing here.
    pub fn let_card_be_seen(&mut self, typing: bool) {
        if self.narrow && !(typing && self.has_focus()) {
            self.stand_back();
        }
    }

    /// Whether something of it has the keyboard.
    pub fn has_focus(&self) -> bool {
        (self.focused || self.page_focused) && self.is_there()
    }

    /// Whether there are tabs to be seen.
    pub fn is_there(&self) -> bool {
        self.there
    }

    /// Whether the tabs are seen, or would be if there were some.
    pub fn is_in_front(&self) -> bool {
        !self.narrow || self.in_front
    }

    /// Opens the search in the file in front.
    pub fn open_find(&mut self) {
        self.wish = Some(FileWish::Find);
    }

    /// Goes to the next or the previous place that was found.
    pub fn find_next(&mut self, forward: bool) {
        self.wish = Some(FileWish::Next(forward));
    }

    /// Asks for a line to go to.
    pub fn ask_line(&mut self) {
        self.wish = Some(FileWish::Line);
    }

    /// Takes a picture that was decoded.
    pub fn put_picture(
        &mut self,
        tab: TabId,
        what: Arc<Preview>,
        picture: Option<(TextureHandle, [u32; 2])>,
    ) {
        self.pictures.insert(tab, Decoded { what, picture });
    }

    /// Notes whether something inside has the keyboard, or would have it: where nothing has it, the last click
    /// counts.
    pub(super) fn note_focus(&mut self, context: &Context, rect: Rect) {
        let focused = context.memory(eframe::egui::Memory::focused);
        let response = focused.and_then(|id| context.read_response(id));
        let pressed = context.input(|input| {
            let pointer = &input.pointer;
            pointer.any_pressed().then(|| pointer.interact_pos())?
        });
        if let Some(response) = response {
            self.focused = rect.contains(response.rect.center());
        } else if let Some(at) = pressed {
            self.focused = rect.contains(at);
        } else if self.wants_focus {
            self.focused = true;
        }
    }

    /// The tabs are covered: what had the keyboard there has it no more, so that a question may take it.
    pub(super) fn give_back_focus(&mut self, context: &Context) {
        if std::mem::take(&mut self.focused) {
            context.memory_mut(|memory| {
                if let Some(id) = memory.focused() {
                    memory.surrender_focus(id);
                }
            });
        }
    }

    /// There are no tabs to be seen.
    pub(super) fn leave(&mut self) {
        self.there = false;
        self.focused = false;
        self.wants_focus = false;
        self.wish = None;
    }

    /// Forgets what belongs to tabs that are gone. Those of other sessions go when there are too many.
    pub(super) fn forget_gone(&mut self, tabs: &Tabs) {
        if self.files.len() + self.pictures.len() + self.diffs.len() > KEPT {
            let lives = |id: &TabId| tabs.iter().any(|tab: &Tab| tab.id == *id);
            self.files.retain(|id, _| lives(id));
            self.pictures.retain(|id, _| lives(id));
            self.picture_states.retain(|id, _| lives(id));
            self.diffs.retain(|id, _| lives(id));
        }
    }
}
