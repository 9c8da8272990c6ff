//! Carries out what was asked for about tabs: which there are, and which is in front.

use eframe::egui::{Context, ViewportCommand};
use wisp_engine::protocol::{Mode, Op, SessionId, TabId};

use super::app::WindowApp;
use super::dialogs::Dialog;
use crate::bridge::Asked;
use crate::commands::{Command, TabCommand};
use crate::i18n::fill;
use crate::state::Page;
use crate::state::preferences::Preferences;
use crate::state::qa::is_sample;
use crate::state::tabs::{Content, Full, MOST_TABS, Opened, Tabs};
use crate::state::toasts::ToastKind;
use crate::text::address::{Goal, goal_of};
use crate::text::visible;

impl WindowApp {
    /// Carries out one wish.
    pub(super) fn run_tab(&mut self, command: TabCommand) {
        match command {
            TabCommand::OpenFile { path, line } => self.open_path(Content::file(path, line)),
            TabCommand::OpenFolder(path) => {
                let content = self.folder_content(&path);
                self.open_path(content);
            }
            TabCommand::OpenDiff(diff) => {
                self.open_tab(Content::Diff(diff));
            }
            TabCommand::OpenPage(url) => {
                self.open_tab(Content::web(url));
            }
            TabCommand::Go { tab, text } => self.go(&tab, &text),
            TabCommand::Recent { tab, number } => {
                let recent = self.tabs().and_then(|tabs| tabs.recent().get(number));
                if let Some(content) = recent.cloned() {
                    self.fill_tab(&tab, content);
                }
            }
            TabCommand::Show(tab) => self.change_tabs(|tabs| {
                tabs.show(&tab);
            }),
            TabCommand::Close(tab) => self.close_tab(&tab),
            TabCommand::CloseAnyway(tab) => self.close_tab_anyway(&tab),
            TabCommand::Move { tab, place } => {
                if let Some(tabs) = self.tabs_mut() {
                    tabs.move_to(&tab, place);
                }
            }
            TabCommand::Reload(tab) => self.reload_tab(&tab),
            TabCommand::Edit(tab) => self.edit_file(&tab),
            TabCommand::EndEdit(tab) => self.end_edit(&tab),
            TabCommand::EndEditAnyway(tab) => self.end_edit_anyway(&tab),
            TabCommand::Save(tab) => self.save_file(&tab),
            TabCommand::WriteOver(tab) => self.write_over(&tab),
            TabCommand::TakeTheirs(tab) => self.take_theirs(&tab),
            TabCommand::PutOff(tab) => {
                self.with_file(&tab, |file, _| file.put_off());
                self.views.preview.take_focus();
            }
            TabCommand::Unfold { tab, path, open } => self.with_folder(&tab, |folder| {
                folder.set_open(&path, open);
            }),
            TabCommand::Select { tab, path } => self.with_folder(&tab, |folder| {
                folder.selected = Some(path.clone());
            }),
        }
    }

    /// The same for those of the list, which are about the tab in front.
    pub(super) fn run_listed_of_tabs(&mut self, context: &Context, command: Command) {
        let front = (self.tabs())
            .and_then(Tabs::active)
            .map(|tab| tab.id.clone());
        match command {
            Command::TogglePreview => self.toggle_preview(),
            Command::NewTab => {
                self.open_tab(Content::new_tab());
            }
            Command::ReopenTab => self.reopen_tab(),
            Command::NextTab => self.change_tabs(Tabs::next),
            Command::PreviousTab => self.change_tabs(Tabs::previous),
            Command::Tab(place) => self.change_tabs(|tabs| tabs.nth(place.into())),
            Command::Address => self.focus_address(),
            _ => {
                let (Some(tab), true) = (front, self.preview_is_shown()) else {
                    return;
                };
                if let Some(wish) = self.wish_of_page(&tab, command) {
                    return self.page_wish(context, &tab, wish);
                }
                match command {
                    Command::CloseTab => self.close_tab(&tab),
                    Command::ReloadTab => self.reload_tab(&tab),
                    Command::FindInTab => self.views.preview.open_find(),
                    Command::FindNext => self.views.preview.find_next(true),
                    Command::FindPrevious => self.views.preview.find_next(false),
                    Command::GoToLine => self.views.preview.ask_line(),
                    Command::EditFile => self.edit_or_end(&tab),
                    Command::SaveFile => self.save_file(&tab),
                    _ => {}
                }
            }
        }
    }

    /// The tabs of the session on screen, if it ever had some.
    pub(super) fn tabs(&self) -> Option<&Tabs> {
        self.state.previews.of(self.state.current.as_ref()?)
    }

    /// The same, to change.
    pub(super) fn tabs_mut(&mut self) -> Option<&mut Tabs> {
        self.state.previews.of_mut(self.state.current.as_ref()?)
    }

    /// Whether a tab is on screen, or would be if the window were wider.
    pub(super) fn preview_is_shown(&self) -> bool {
        self.state.page == Page::Chat
            && !self.state.preferences.preview_hidden
            && self.state.tabs().is_some()
    }

    fn change_tabs(&mut self, change: impl FnOnce(&mut Tabs)) {
        if let Some(tabs) = self.tabs_mut()
            && !tabs.is_empty()
        {
            change(tabs);
            self.show_preview();
        }
    }

    /// Makes the right-hand side seen, and gives it the keyboard.
    pub(super) fn show_preview(&mut self) {
        self.state.page = Page::Chat;
        self.views.preview.take_focus();
        self.unfold_preview();
    }

    /// Makes the right-hand side seen where there is room for it; the keyboard stays where it is.
    pub(super) fn unfold_preview(&mut self) {
        if self.state.preferences.preview_hidden {
            self.prefer(Preferences {
                preview_hidden: false,
                ..self.state.preferences.clone()
            });
        }
    }

    fn toggle_preview(&mut self) {
        let hidden = self.state.preferences.preview_hidden;
        if self.state.tabs().is_none() {
            // There is nothing to show: whoever asks for it wants to open something.
            self.open_tab(Content::new_tab());
        } else if hidden || !self.views.preview.is_in_front() {
            self.show_preview();
        } else {
            let focused = self.views.preview.has_focus();
            self.prefer(Preferences {
                preview_hidden: true,
                ..self.state.preferences.clone()
            });
            if focused {
                self.views.focus_message();
            }
        }
    }

    /// Opens something in a tab of the session on screen, and shows it. `None` when it could not be.
    pub(super) fn open_tab(&mut self, content: Content) -> Option<Opened> {
        let Some(session) = self.state.current.clone() else {
            self.open_in_new_session(content);
            return None;
        };
        let opened = self.state.previews.of_or_new(&session).open(content);
        if let Ok(opened) = opened {
            self.show_preview();
            return Some(opened);
        }
        self.say_full();
        None
    }

    /// Tabs belong to a session: where none is on screen, one is made first. Nothing of what is typed for the tab may
    /// land in the message field, and so with the model.
    fn open_in_new_session(&mut self, content: Content) {
        if !self.state.engine.is_ready() {
            let text = self.words().preview.no_session;
            self.state.toasts.show(ToastKind::Note, text, self.now);
            return;
        }
        if self.tab_when_ready.replace(content).is_none() {
            self.views.preview.take_focus();
            self.waits_for_new = true;
            let op = Op::CreateSession {
                folder: self.state.new_folder.clone(),
                mode: Mode::Chat,
            };
            self.ask(op, Asked::Create { message: None });
        }
    }

    pub(super) fn say_full(&mut self) {
        let most = MOST_TABS.to_string();
        let text = fill(self.words().preview.full, &[("n", &most)]);
        self.state.toasts.show(ToastKind::Note, text, self.now);
    }

    /// Opens a file or folder; a session that only shows a sample has none on the disk, so that the path is copied.
    fn open_path(&mut self, content: Content) {
        let sample = self.state.current.as_ref().is_some_and(is_sample);
        let path = match &content {
            Content::File(file) => Some(file.path.clone()),
            Content::Folder(folder) => Some(folder.path.clone()),
            _ => None,
        };
        match path.filter(|_| sample) {
            Some(path) => self.wishes.push(crate::commands::UiCommand::CopyPath(path)),
            None => {
                self.open_tab(content);
            }
        }
    }

    /// A folder with the name that stands on its tab.
    fn folder_content(&self, path: &str) -> Content {
        let root = (self.state.current.as_ref())
            .and_then(|id| self.state.sessions.summary(id)?.folder.as_deref())
            .map_or_else(|| ".".to_owned(), visible::folder_name);
        Content::folder(path, &root)
    }

    /// What was typed in a new tab.
    fn go(&mut self, tab: &TabId, text: &str) {
        let content = match goal_of(text) {
            Goal::Page(url) => Some(Content::web(url)),
            Goal::Folder(path) => Some(self.folder_content(&path)),
            Goal::File(path) => Some(Content::file(path, None)),
            Goal::Nothing => None,
        };
        if let Some(content) = content {
            self.fill_tab(tab, content);
            return;
        }
        let found = self.tabs_mut().and_then(|tabs| tabs.get_mut(tab));
        if let Some(Content::New(new)) = found.map(|tab| &mut tab.content) {
            new.wrong = true;
        }
    }

    fn fill_tab(&mut self, tab: &TabId, content: Content) {
        if let Some(tabs) = self.tabs_mut() {
            tabs.fill(tab, content);
            self.show_preview();
        }
    }

    fn reopen_tab(&mut self) {
        match self.tabs_mut().map(Tabs::reopen) {
            Some(Ok(Some(_))) => self.show_preview(),
            Some(Err(Full)) => self.say_full(),
            Some(Ok(None)) | None => {}
        }
    }

    /// Closes a tab; what isn't kept is asked about first.
    fn close_tab(&mut self, tab: &TabId) {
        let found = self.tabs().and_then(|tabs| tabs.get(tab));
        let Some(found) = found else { return };
        if found.content.is_dirty() {
            let name = found.content.name().unwrap_or_default().to_owned();
            let tab = tab.clone();
            self.views.dialog = Some(Dialog::Unsaved {
                then: TabCommand::CloseAnyway(tab),
                name,
            });
        } else if let Some(session) = self.state.current.clone()
            && !self.ask_unsaved(&session, tab, None)
        {
            self.close_tab_anyway(tab);
        }
    }

    /// Closes a session's tab, whatever is on screen.
    pub(super) fn close_tab_now(&mut self, session: &SessionId, tab: &TabId) {
        if self.state.current.as_ref() == Some(session) {
            self.close_tab_anyway(tab);
        } else if let Some(tabs) = self.state.previews.of_mut(session) {
            tabs.close(tab);
        }
    }

    fn close_tab_anyway(&mut self, tab: &TabId) {
        let focused = self.views.preview.has_focus();
        if let Some(tabs) = self.tabs_mut() {
            tabs.close(tab);
        }
        if !focused {
            return;
        }
        if self.state.tabs().is_some() {
            self.views.preview.take_focus();
        } else {
            self.views.focus_message();
        }
    }

    fn focus_address(&mut self) {
        let front = self.tabs_mut().and_then(Tabs::active_mut);
        match front.map(|tab| &mut tab.content) {
            Some(Content::New(new)) => {
                new.focus = true;
                self.show_preview();
            }
            Some(Content::Web(web)) => {
                web.focus_address = true;
                self.show_preview();
            }
            _ => {
                self.open_tab(Content::new_tab());
            }
        }
    }

    /// The window is about to be closed: with files that were not saved the person is asked first.
    pub(super) fn guard_close(&mut self, context: &Context) {
        if self.may_close || !context.input(|input| input.viewport().close_requested()) {
            return;
        }
        let dirty = self.state.previews.dirty().count();
        if dirty > 0 {
            context.send_viewport_cmd(ViewportCommand::CancelClose);
            self.views.dialog = Some(Dialog::Quit(dirty));
        }
    }

    /// Closes the window whatever is not saved.
    pub(super) fn quit_anyway(&mut self, context: &Context) {
        self.may_close = true;
        context.send_viewport_cmd(ViewportCommand::Close);
    }

    /// Tells the tabs which session is on screen.
    pub(super) fn follow_session(&mut self) {
        let current: Option<SessionId> = self.state.current.clone();
        let left = self.state.previews.shown().cloned();
        if self.state.previews.switch(current.as_ref())
            && let Some(left) = left
        {
            self.leave_session_tabs(&left);
        }
    }
}
