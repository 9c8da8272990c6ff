//! What comes in from the engine and the worker, folded into the state.

use wisp_engine::protocol::{
    Answer, Event, EventMsg, Failure, FailureKind, Op, RunOptions, SessionId, SessionSummary,
};

use super::app::WindowApp;
use crate::bridge::{Asked, Done, Incoming, Job, Place};
use crate::i18n::fill;
use crate::state::settings::SettingsInfo;
use crate::state::toasts::ToastKind;
use crate::state::{EngineState, Page};

/// What is taken in before a frame is drawn; the rest waits for the next one.
const AT_ONCE: usize = 2_000;

impl WindowApp {
    /// Takes in what has come. Tells whether more waits.
    pub(super) fn take_incoming(&mut self) -> bool {
        for _ in 0..AT_ONCE {
            match self.link.try_next() {
                None => return false,
                Some(Incoming::Event(event)) => self.take_event(&event),
                Some(Incoming::Answer(asked, answer)) => self.take_answer(asked, *answer),
                Some(Incoming::Alarm(failure)) => self.state.alarm = Some(failure),
                Some(Incoming::Ticket(ticket)) => self.take_ticket(ticket),
                Some(Incoming::TicketDropped(_, ticket)) => self.drop_ticket(&ticket),
                Some(Incoming::Done(done)) => self.take_done(done),
            }
        }
        true
    }

    pub(super) fn take_event(&mut self, event: &Event) {
        self.state.apply(event);
        self.take_tab_event(event);
        self.take_qa_event(event);
        if let EventMsg::RunFinished { .. } = event.msg {
            self.send_queued(&event.session);
        }
    }

    /// Sends the first message that waits for a run's end.
    fn send_queued(&mut self, session: &SessionId) {
        let Some(open) = self.state.sessions.open_mut(session) else {
            return;
        };
        if open.queue.is_empty() {
            return;
        }
        let message = open.queue.remove(0);
        self.start_run(session, message);
    }

    /// Starts a run; what can't be sent comes back into the field.
    pub(super) fn start_run(&mut self, session: &SessionId, message: String) {
        let op = Op::StartRun {
            session: session.clone(),
            text: message.clone(),
            options: RunOptions::default(),
        };
        let asked = Asked::Start {
            session: session.clone(),
            message: message.clone(),
        };
        if let Err(failure) = self.link.ask(op, asked) {
            self.give_back(session, message);
            self.complain(&failure);
        }
    }

    fn give_back(&mut self, session: &SessionId, message: String) {
        self.state
            .sessions
            .open_or_new(session)
            .draft
            .give_back(message);
    }

    fn take_answer(&mut self, asked: Asked, answer: Answer) {
        match (asked, answer) {
            (Asked::List, Answer::Sessions { sessions }) => {
                self.state.sessions.set_list(sessions);
                self.sweep_pages();
                self.first_page();
            }
            (Asked::Create { message }, Answer::SessionReady { session, events }) => {
                let id = session.id.clone();
                self.take_session(session, &events);
                if let Some(message) = message {
                    self.start_run(&id, message);
                }
                if let Some(content) = self.tab_when_ready.take() {
                    self.open_tab(content);
                }
            }
            (Asked::Open(_), Answer::SessionReady { session, events }) => {
                self.take_session(session, &events);
            }
            (Asked::Search(words), Answer::Hits { hits })
                if self.state.sessions.search.words == words =>
            {
                self.state.sessions.search.hits = Some(hits);
            }
            (Asked::Delete(session), Answer::Ok) => self.forget(&session),
            (Asked::Claim(ticket), Answer::Ok) => self.take_claimed(ticket),
            (Asked::File(asked) | Asked::Folder(asked), Answer::Preview { preview }) => {
                self.take_preview(&asked, Ok(preview));
            }
            (Asked::Save { session, tab }, Answer::Saved { saved }) => {
                self.take_saved(&session, &tab, saved);
            }
            (Asked::Qa, Answer::SessionReady { session, events }) => {
                self.take_qa_session(session, &events);
            }
            (asked, Answer::Refused { failure }) => self.refused(asked, &failure),
            _ => {}
        }
    }

    pub(super) fn take_session(&mut self, summary: SessionSummary, events: &[Event]) {
        let id = summary.id.clone();
        self.state.sessions.put(summary);
        self.state.sessions.open_or_new(&id).take_events(events);
        for event in events {
            self.state.approvals.apply(event);
        }
        if self.state.current.is_none() && self.waits_for_new {
            // What was typed since the message was sent is this session's.
            let typed = std::mem::take(&mut self.state.new_draft);
            self.state.sessions.open_or_new(&id).draft = typed;
            self.state.current = Some(id);
        }
        self.waits_for_new = false;
    }

    fn refused(&mut self, asked: Asked, failure: &Failure) {
        match asked {
            Asked::Create { message } => {
                self.waits_for_new = false;
                self.tab_when_ready = None;
                if let Some(message) = message {
                    self.state.new_draft.give_back(message);
                }
                self.complain(failure);
            }
            Asked::Start { session, message } => {
                self.give_back(&session, message);
                self.complain(failure);
            }
            Asked::Open(session) => {
                let open = self.state.sessions.open_or_new(&session);
                open.take_failure(failure.clone());
            }
            Asked::Decide(approval) => {
                self.state.approvals.mark(&approval, false);
                self.complain(failure);
            }
            Asked::Delete(session) => {
                self.state.sessions.unhide(&session);
                self.complain(failure);
            }
            Asked::File(asked) | Asked::Folder(asked) => {
                self.take_preview(&asked, Err(failure.clone()));
            }
            Asked::Save { session, tab } => {
                self.not_saved(&session, &tab);
                self.complain(failure);
            }
            Asked::Qa => self.break_off_qa(failure),
            Asked::Search(_) => self.state.sessions.search.hits = Some(Vec::new()),
            // It came too late: nothing is done for it.
            Asked::Claim(_) | Asked::Outcome => {}
            Asked::List | Asked::Cancel(_) | Asked::Rename => self.complain(failure),
        }
    }

    fn take_done(&mut self, done: Done) {
        match done {
            Done::Loaded(loaded) => {
                self.state.model = loaded.model;
                let revision = self.state.settings.revision + 1;
                self.state.settings = SettingsInfo {
                    revision,
                    ..loaded.info
                };
                if let Some(preferences) = loaded.preferences {
                    // The next session most likely works where the last one did.
                    if self.state.new_folder.is_none() && self.place == Place::Real {
                        self.state.new_folder.clone_from(&preferences.last_folder);
                    }
                    self.state.preferences = preferences;
                }
                for warning in loaded.warnings {
                    self.state.toasts.show(ToastKind::Note, warning, self.now);
                }
                if let Some(settings) = loaded.settings {
                    self.link.configure(settings);
                }
            }
            Done::MovedAside(path) => {
                let path = path.display().to_string();
                let text = fill(self.words().settings.moved_aside, &[("path", &path)]);
                self.state.toasts.show(ToastKind::Good, text, self.now);
            }
            Done::Started(started) => {
                self.state.engine = match started.place {
                    Place::Real => EngineState::Ready,
                    Place::Simulated => EngineState::Simulated,
                };
                self.link.connect(started.engine);
                self.ask(Op::ListSessions, Asked::List);
                if std::mem::take(&mut self.sends_when_ready) {
                    self.send();
                }
            }
            Done::StartFailed(failure) => {
                // The settings page is where a file that makes no sense is mended.
                if failure.kind == FailureKind::Settings && self.state.page == Page::Chat {
                    self.state.page = Page::Settings;
                }
                self.state.engine = EngineState::Failed(failure);
            }
            Done::NotKept(failure) => {
                let reason = failure.to_string();
                let text = fill(self.words().settings.not_kept, &[("reason", &reason)]);
                self.state.toasts.show(ToastKind::Bad, text, self.now);
            }
            Done::Failed(failure) => self.complain(&failure),
            Done::Qa(done) => self.take_qa_done(done),
            Done::Picture {
                session,
                address,
                texture,
            } => self.views.chat.put_picture(session, address, texture),
            Done::Decoded { tab, what, picture } => {
                self.views.preview.put_picture(tab, what, picture);
            }
            Done::NoDialog => {
                let text = self.words().chat.no_dialog;
                self.state.toasts.show(ToastKind::Bad, text, self.now);
            }
            Done::FolderPicked(None) => {}
            Done::FolderPicked(folder) => {
                self.state.current = None;
                self.state.page = Page::Chat;
                self.state.preferences.last_folder.clone_from(&folder);
                self.state.new_folder = folder;
                self.keep_preferences();
            }
        }
    }

    /// The first look at a program that nothing was done with yet.
    fn first_page(&mut self) {
        let untouched = self.state.sessions.shown().next().is_none();
        let no_model = self.state.engine == EngineState::Ready && !self.state.model.usable;
        if untouched && no_model && self.state.page == Page::Chat {
            self.state.page = Page::Welcome;
        }
    }

    /// Starts an engine in place of the one there is.
    pub(super) fn start_engine(&mut self, place: Place) {
        self.place = place;
        self.link.disconnect();
        self.state.reset();
        self.job(Job::Start(place));
    }

    /// Asks the engine; a refusal is said.
    pub(super) fn ask(&mut self, op: Op, asked: Asked) {
        if let Err(failure) = self.link.ask(op, asked.clone()) {
            self.refused(asked, &failure);
        }
    }

    /// Gives the worker a job; a refusal is said.
    pub(super) fn job(&mut self, job: Job) {
        if let Err(failure) = self.link.job(job) {
            self.complain(&failure);
        }
    }

    /// Keeps how the person wants the window.
    pub(super) fn keep_preferences(&mut self) {
        self.job(Job::KeepPreferences(self.state.preferences.clone()));
    }

    /// Says what failed and what to do.
    pub(super) fn complain(&mut self, failure: &Failure) {
        let text = failure.to_string();
        self.state.toasts.show(ToastKind::Bad, text, self.now);
    }

    /// Forgets a session that is deleted.
    fn forget(&mut self, session: &SessionId) {
        self.state.sessions.forget(session);
        self.state.approvals.forget(session);
        self.state.previews.forget(session);
        self.sweep_pages();
    }

    /// Deletes those whose time to undo is over.
    pub(super) fn expire_toasts(&mut self) {
        for toast in self.state.toasts.expire(self.now) {
            self.toast_gone(toast.kind);
        }
    }

    /// A toast is gone: what it could undo is done.
    pub(super) fn toast_gone(&mut self, kind: ToastKind) {
        if let ToastKind::Deleted(session) = kind {
            let op = Op::DeleteSession {
                session: session.clone(),
            };
            self.ask(op, Asked::Delete(session));
        }
    }

    /// Hides a session and gives the time to undo it.
    pub(super) fn delete(&mut self, session: &SessionId) {
        let words = self.words();
        let Some(summary) = self.state.sessions.summary(session) else {
            return;
        };
        if summary.running {
            let text = words.sidebar.busy_delete;
            self.state.toasts.show(ToastKind::Note, text, self.now);
            return;
        }
        let folder = summary.folder.clone();
        let text = fill(words.sidebar.deleted, &[("title", &summary.title)]);
        self.state.sessions.hide(session);
        if self.state.current.as_ref() == Some(session) {
            // Whoever deletes a session most likely goes on in its folder.
            self.state.new_folder = folder;
            self.state.current = None;
        }
        let kind = ToastKind::Deleted(session.clone());
        self.state.toasts.show(kind, text, self.now);
    }
}
