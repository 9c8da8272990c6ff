//! Carries out what panels asked for, after the frame. One line a command; the work lives with its owner.

use eframe::egui::{Context, Theme, ThemePreference, ViewportCommand};
use wisp_engine::protocol::{ApprovalId, Decision, Mode, Op, SessionId};

use super::app::WindowApp;
use super::dialogs::Dialog;
use crate::bridge::{Asked, Job, Place};
use crate::commands::{Command, UiCommand};
use crate::i18n::Language;
use crate::state::preferences::{Preferences, ThemeChoice};
use crate::state::toasts::ToastKind;
use crate::state::{EngineState, Page};
use crate::text::visible;

impl WindowApp {
    /// Carries out one wish.
    pub(super) fn run_command(&mut self, context: &Context, command: UiCommand) {
        let Some(command) = self.keep_from_engine(command) else {
            return;
        };
        match command {
            UiCommand::Run(command) => self.run_listed(context, command),
            UiCommand::Show(page) => self.state.page = page,
            UiCommand::OpenSession(session) => self.open_session(session),
            UiCommand::NewSession { folder } => self.new_session(folder),
            UiCommand::Rename { session, title } => {
                self.ask(Op::RenameSession { session, title }, Asked::Rename);
            }
            UiCommand::AskRename(session) => self.views.start_rename(&self.state, &session),
            UiCommand::Delete(session) => self.delete(&session),
            UiCommand::Undelete(session) => self.undelete(&session),
            UiCommand::Search(words) => self.search(&words),
            UiCommand::Send => self.send(),
            UiCommand::SendText(text) => self.send_text(text),
            UiCommand::EditAgain(text) => {
                self.state.draft_mut().give_back(text);
                self.views.chat.focus_message();
            }
            UiCommand::Unqueue(place) => self.unqueue(place),
            UiCommand::SendQueuedNow(place) => self.send_queued_now(place),
            UiCommand::Decide {
                session,
                approval,
                decision,
            } => self.decide(session, approval, decision),
            UiCommand::ShowApproval(approval) => self.show_approval(&approval),
            UiCommand::Fold(key, open) => {
                self.views.chat.stay();
                self.state.folds.set(key, open);
            }
            UiCommand::ScrollToRun(run) => self.views.chat.scroll_to_run(&self.state, &run),
            UiCommand::LoadPicture { session, address } => self.load_picture(session, address),
            UiCommand::Copy(text) => context.copy_text(text),
            UiCommand::CopyPath(path) => {
                let text = format!("{}: {}", self.words().common.copied, visible::line(&path));
                self.state.toasts.show(ToastKind::Good, text, self.now);
                context.copy_text(path);
            }
            UiCommand::AskLink(address) => self.views.dialog = Some(Dialog::Link(address)),
            UiCommand::OpenLink(address) => self.job(Job::OpenLink(address)),
            UiCommand::Dismiss(toast) => {
                if let Some(toast) = self.state.toasts.dismiss(toast) {
                    self.toast_gone(toast.kind);
                }
            }
            UiCommand::Prefer(preferences) => self.prefer(preferences),
            UiCommand::ChangeSettings(changes) => self.job(Job::ChangeSettings(changes)),
            UiCommand::SetKey(key) => self.job(Job::SetKey(key)),
            UiCommand::StartAgain => self.start_engine(self.place),
            UiCommand::StartEngine { simulate } => {
                self.state.page = Page::Chat;
                self.start_engine(if simulate {
                    Place::Simulated
                } else {
                    Place::Real
                });
            }
            UiCommand::QuitAnyway => self.quit_anyway(context),
            UiCommand::Tab(command) => self.run_tab(command),
            UiCommand::Page { tab, wish } => self.page_wish(context, &tab, wish),
            UiCommand::Qa(command) => self.run_qa(command),
            UiCommand::MoveSettingsAside => self.job(Job::MoveSettingsAside(Place::Real)),
        }
    }

    fn run_listed(&mut self, context: &Context, command: Command) {
        match command {
            Command::NewSession => {
                let folder = self.folder_on_screen();
                self.new_session(folder);
            }
            Command::OpenFolder => self.pick_folder(),
            // Where the keyboard is in a page, its own size is meant, and what is found is found there.
            Command::ZoomIn
            | Command::ZoomOut
            | Command::ZoomReset
            | Command::SearchSessions
            | Command::FindInSession
                if self.pages.has_focus() =>
            {
                self.run_in_page(context, command);
            }
            // Where the keyboard is in a tab, the keys that find something find it there.
            Command::SearchSessions | Command::FindInSession if self.views.preview.has_focus() => {
                self.views.preview.open_find();
            }
            Command::SearchSessions => self.views.sidebar.focus_search(&mut self.views.shown),
            Command::FindInSession => self.views.chat.open_find(),
            Command::Palette => self.views.open_palette(),
            Command::GoToApproval => self.go_to_approval(),
            Command::FocusMessage => {
                self.state.page = Page::Chat;
                self.views.focus_message();
            }
            Command::StopRun => self.stop_run(),
            Command::RenameSession => {
                if let Some(session) = self.state.current.clone() {
                    self.views.start_rename(&self.state, &session);
                }
            }
            Command::DeleteSession => {
                if let Some(session) = self.state.current.clone() {
                    self.delete(&session);
                }
            }
            Command::NextSession => self.neighbour_session(1),
            Command::PreviousSession => self.neighbour_session(-1),
            Command::NextRun => self.views.chat.neighbour_run(&self.state, true),
            Command::PreviousRun => self.views.chat.neighbour_run(&self.state, false),
            Command::ToEnd => self.views.chat.to_end(),
            Command::CopyReply => self.copy_reply(context),
            Command::NextPane => self.views.next_pane(true),
            Command::PreviousPane => self.views.next_pane(false),
            Command::TogglePreview
            | Command::NewTab
            | Command::CloseTab
            | Command::ReopenTab
            | Command::NextTab
            | Command::PreviousTab
            | Command::Tab(_)
            | Command::Address
            | Command::PageBack
            | Command::PageForward
            | Command::ReloadTab
            | Command::FindInTab
            | Command::FindNext
            | Command::FindPrevious
            | Command::GoToLine
            | Command::EditFile
            | Command::SaveFile => self.run_listed_of_tabs(context, command),
            Command::ToggleSidebar => self.views.shown.sidebar = !self.views.shown.sidebar,
            Command::ZoomIn | Command::ZoomOut | Command::ZoomReset => self.zoom(command),
            Command::ToggleTheme => self.toggle_theme(context),
            Command::ToggleContrast => {
                let high_contrast = !self.state.preferences.high_contrast;
                self.prefer(Preferences {
                    high_contrast,
                    ..self.state.preferences.clone()
                });
            }
            Command::ToggleLanguage => self.toggle_language(),
            Command::Settings => self.toggle_page(Page::Settings),
            Command::Shortcuts => self.toggle_page(Page::Shortcuts),
            Command::About => self.toggle_page(Page::About),
            Command::Qa => self.toggle_page(Page::Qa),
            Command::Quit => context.send_viewport_cmd(ViewportCommand::Close),
        }
    }

    fn toggle_page(&mut self, page: Page) {
        self.state.page = if self.state.page == page {
            Page::Chat
        } else {
            page
        };
    }

    /// The folder of what is on screen.
    fn folder_on_screen(&self) -> Option<std::path::PathBuf> {
        match &self.state.current {
            None => self.state.new_folder.clone(),
            Some(id) => {
                (self.state.sessions.summary(id)).and_then(|summary| summary.folder.clone())
            }
        }
    }

    fn new_session(&mut self, folder: Option<std::path::PathBuf>) {
        self.state.page = Page::Chat;
        self.state.current = None;
        self.state.new_folder = folder;
        self.views.chat.focus_message();
    }

    pub(super) fn open_session(&mut self, session: SessionId) {
        self.state.page = Page::Chat;
        let open = self.state.sessions.open_or_new(&session);
        let ready = open.ready && open.failure.is_none();
        self.state.current = Some(session.clone());
        self.waits_for_new = false;
        if !ready {
            open.begin_reading();
            let op = Op::OpenSession {
                session: session.clone(),
            };
            self.ask(op, Asked::Open(session));
        }
        self.views.focus_message();
    }

    fn neighbour_session(&mut self, step: isize) {
        let order: Vec<SessionId> = (self.state.sessions.groups().into_iter())
            .flat_map(|group| group.sessions)
            .map(|session| session.id.clone())
            .collect();
        let place = (self.state.current.as_ref())
            .and_then(|current| order.iter().position(|id| id == current));
        let next = match place {
            None => Some(0),
            Some(place) => place.checked_add_signed(step),
        };
        if let Some(next) = next.and_then(|next| order.get(next)) {
            self.open_session(next.clone());
        }
    }

    fn load_picture(&mut self, session: SessionId, address: String) {
        let summary = self.state.sessions.summary(&session);
        if let Some(folder) = summary.and_then(|summary| summary.folder.clone()) {
            self.job(Job::LoadPicture {
                session,
                folder,
                address,
            });
        }
    }

    fn undelete(&mut self, session: &SessionId) {
        if let Some(toast) = self.state.toasts.of_deleted(session) {
            self.state.toasts.dismiss(toast);
            self.state.sessions.unhide(session);
            self.open_session(session.clone());
        }
    }

    fn search(&mut self, words: &str) {
        let words = words.trim().to_owned();
        self.state.sessions.search.hits = None;
        self.state.sessions.search.words.clone_from(&words);
        if !words.is_empty() {
            let op = Op::SearchSessions {
                query: words.clone(),
                limit: SEARCH_HITS,
            };
            self.ask(op, Asked::Search(words));
        }
    }

    pub(super) fn send(&mut self) {
        if !self.state.engine.is_ready() {
            // Whoever is quicker than the engine need not press the key again.
            self.sends_when_ready = self.state.engine == EngineState::Starting;
            return;
        }
        if let Some(message) = self.state.draft_mut().take() {
            self.send_text(message);
        }
    }

    fn send_text(&mut self, message: String) {
        self.views.chat.to_end();
        let Some(session) = self.state.current.clone() else {
            self.waits_for_new = true;
            let op = Op::CreateSession {
                folder: self.state.new_folder.clone(),
                mode: Mode::Chat,
            };
            let message = Some(message);
            self.ask(op, Asked::Create { message });
            return;
        };
        let open = self.state.sessions.open_or_new(&session);
        if open.is_running() {
            open.queue.push(message);
        } else {
            self.start_run(&session, message);
        }
    }

    fn unqueue(&mut self, place: usize) {
        let Some(session) = self.state.current.clone() else {
            return;
        };
        let open = self.state.sessions.open_or_new(&session);
        if place < open.queue.len() {
            let message = open.queue.remove(place);
            open.draft.give_back(message);
            self.views.chat.focus_message();
        }
    }

    fn send_queued_now(&mut self, place: usize) {
        let Some(session) = self.state.current.clone() else {
            return;
        };
        let open = self.state.sessions.open_or_new(&session);
        if place < open.queue.len() {
            // Its turn comes with the run's end.
            let message = open.queue.remove(place);
            open.queue.insert(0, message);
            self.stop_run();
        }
    }

    pub(super) fn stop_run(&mut self) {
        let Some(session) = self.state.current.clone() else {
            return;
        };
        let running = self
            .state
            .open_session()
            .and_then(|open| open.transcript.running());
        if let Some(run) = running.map(|run| run.id.clone()) {
            let op = Op::CancelRun {
                session: session.clone(),
                run: Some(run),
            };
            self.ask(op, Asked::Cancel(session));
        }
    }

    pub(super) fn decide(&mut self, session: SessionId, approval: ApprovalId, decision: Decision) {
        // An answer counts once: a second key press on the same card asks nothing.
        if self.state.approvals.mark(&approval, true) {
            let op = Op::Decide {
                session,
                approval: approval.clone(),
                decision,
            };
            self.ask(op, Asked::Decide(approval));
        }
    }

    fn show_approval(&mut self, approval: &ApprovalId) {
        if let Some(pending) = self.state.approvals.get(approval) {
            let session = pending.session.clone();
            self.open_session(session);
            self.views.chat.focus_card();
        }
    }

    fn go_to_approval(&mut self) {
        let here = (self.state.current.as_ref()).and_then(|id| self.state.approvals.of(id));
        let next = here.or_else(|| self.state.approvals.all().first());
        if let Some(id) = next.map(|pending| pending.request.id.clone()) {
            self.show_approval(&id);
        }
    }

    fn copy_reply(&mut self, context: &Context) {
        let reply = self.state.open_session().and_then(|open| {
            let steps = open
                .transcript
                .runs
                .iter()
                .rev()
                .flat_map(|run| run.steps.iter().rev());
            steps
                .map(|step| step.reply.text())
                .find(|text| !text.is_empty())
        });
        if let Some(text) = reply {
            context.copy_text(text.to_owned());
        }
    }

    pub(super) fn prefer(&mut self, preferences: Preferences) {
        if preferences != self.state.preferences {
            self.state.preferences = preferences;
            self.keep_preferences();
        }
    }

    fn zoom(&mut self, command: Command) {
        let now = &self.state.preferences;
        let zoom = match command {
            Command::ZoomIn => now.zoomed(true),
            Command::ZoomOut => now.zoomed(false),
            _ => 1.0,
        };
        let preferences = Preferences {
            zoom,
            ..now.clone()
        };
        self.prefer(preferences);
    }

    fn toggle_theme(&mut self, context: &Context) {
        let theme = match context.theme() {
            Theme::Dark => ThemeChoice::Light,
            Theme::Light => ThemeChoice::Dark,
        };
        self.prefer(Preferences {
            theme,
            ..self.state.preferences.clone()
        });
    }

    fn toggle_language(&mut self) {
        let language = match self.language() {
            Language::English => Language::Chinese,
            Language::Chinese => Language::English,
        };
        self.prefer(Preferences {
            language: Some(language.tag()),
            ..self.state.preferences.clone()
        });
    }

    /// Whether the window is marked as a simulation.
    pub(super) fn is_simulated(&self) -> bool {
        self.state.engine == EngineState::Simulated
    }
}

/// Hits of a search in all sessions.
const SEARCH_HITS: u32 = 50;

/// The preference as egui knows it.
pub(super) fn theme_preference(choice: ThemeChoice) -> ThemePreference {
    match choice {
        ThemeChoice::System => ThemePreference::System,
        ThemeChoice::Dark => ThemePreference::Dark,
        ThemeChoice::Light => ThemePreference::Light,
    }
}
