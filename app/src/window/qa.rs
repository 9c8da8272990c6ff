//! The QA panel's part of the window: what live scenarios and samples need from frame to frame.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};

use eframe::egui::{ColorImage, Context};
use wisp_engine::protocol::{Decision, Event, Failure, Op, RunOptions, SessionId, SessionSummary};
use wisp_qa::Choice;

use super::app::WindowApp;
use super::scene::{again_in, today};
use crate::bridge::{Asked, Job, Place, QaDone, QaJob};
use crate::commands::{Command, QaCommand, UiCommand};
use crate::i18n::fill;
use crate::qa_panel::samples;
use crate::state::qa::{Shown, Stage, is_sample};
use crate::state::toasts::ToastKind;
use crate::state::{EngineState, Page, qa};

/// A picture of the window that was asked for.
#[derive(Debug)]
pub struct Picture {
    name: String,
    comes: Receiver<Arc<ColorImage>>,
}

impl WindowApp {
    /// Carries out a wish of the panel.
    pub(super) fn run_qa(&mut self, command: QaCommand) {
        match command {
            QaCommand::Show(shown) => self.show_qa(shown),
            QaCommand::Run { name, by_itself } => {
                self.state.qa.batch = None;
                self.begin_live(&name, by_itself);
            }
            QaCommand::RunAll => {
                if let Some(name) = self.state.qa.begin_all() {
                    self.begin_live(&name, true);
                }
            }
            QaCommand::Stop => self.stop_live(),
            QaCommand::Export => self.job(Job::Qa(QaJob::Export {
                json: qa::json(&self.state.qa.results),
                markdown: qa::markdown(&self.state.qa.results),
            })),
            QaCommand::StartSimulation => self.start_engine(Place::Simulated),
        }
    }

    fn show_qa(&mut self, shown: Shown) {
        if let Shown::Sample(key) = shown {
            self.state.qa.played += 1;
            let script = samples::script(key, self.language(), self.state.qa.played);
            self.state.play_sample(script, self.now, today());
            if let Some(session) = self.state.current.clone() {
                self.look_at_sample(session);
            }
        } else {
            self.state.leave_samples();
        }
        if shown == Shown::Chat {
            let session = self.state.qa.live.as_ref().and_then(|l| l.session.clone());
            self.state.current = session;
        }
        self.state.qa.shown = shown;
    }

    fn begin_live(&mut self, name: &str, by_itself: bool) {
        if self.state.engine != EngineState::Simulated {
            return;
        }
        if let Some(scenario) = self.state.qa.begin(name, by_itself) {
            if self.state.qa.shown == Shown::Chat {
                self.state.leave_samples();
                self.state.qa.shown = Shown::Chat;
                self.state.current = None;
            }
            self.job(Job::Qa(QaJob::Lay(Box::new(scenario))));
        }
    }

    fn stop_live(&mut self) {
        if let Some(batch) = &mut self.state.qa.batch {
            batch.left.clear();
        }
        let Some(live) = self.state.qa.live.as_ref() else {
            return;
        };
        match (live.stage, live.session.clone()) {
            (Stage::Running, Some(session)) => {
                let op = Op::CancelRun { session, run: None };
                self.ask(op, Asked::Qa);
            }
            (Stage::Preparing, _) => self.state.qa.break_off("stopped before it began"),
            _ => {}
        }
    }

    /// What the worker did for the panel.
    pub(super) fn take_qa_done(&mut self, done: QaDone) {
        match done {
            QaDone::Laid { name, folder } => {
                let waits = |live: &&mut qa::LiveRun| {
                    live.name == name && live.stage == Stage::Preparing && live.session.is_none()
                };
                let Some(live) = self.state.qa.live.as_mut().filter(waits) else {
                    return;
                };
                live.folder.clone_from(&folder);
                let mode = self.state.qa.scenario(&name).map(|scenario| scenario.mode);
                let mode = mode.unwrap_or_default();
                self.ask(Op::CreateSession { folder, mode }, Asked::Qa);
            }
            QaDone::NotLaid { reason, .. } => self.state.qa.break_off(&reason),
            QaDone::Checked { report, violations } => {
                self.state.qa.take_report(report, violations);
            }
            QaDone::Pictured { name, path } => {
                if let Some(result) = self.state.qa.results.get_mut(&name) {
                    result.picture = Some(path);
                }
            }
            QaDone::Exported(folder) => {
                let folder = folder.to_string_lossy();
                let text = fill(self.words().qa.exported, &[("folder", &folder)]);
                self.state.toasts.show(ToastKind::Good, text, self.now);
            }
        }
    }

    /// The live scenario's session is there: its prompt is sent.
    pub(super) fn take_qa_session(&mut self, session: SessionSummary, events: &[Event]) {
        let id = session.id.clone();
        self.take_session(session, events);
        let waits = |live: &&mut qa::LiveRun| live.stage == Stage::Preparing;
        let Some(live) = self.state.qa.live.as_mut().filter(waits) else {
            return;
        };
        live.session = Some(id.clone());
        live.stage = Stage::Running;
        let name = live.name.clone();
        if self.state.qa.shown == Shown::Chat {
            self.state.current = Some(id.clone());
            self.views.chat.to_end();
            self.views.chat.focus_message();
        }
        let Some(scenario) = self.state.qa.scenario(&name) else {
            return;
        };
        let op = Op::StartRun {
            session: id,
            text: scenario.prompt.clone(),
            options: RunOptions {
                max_steps: scenario.max_steps,
            },
        };
        self.ask(op, Asked::Qa);
    }

    /// The engine would not do it.
    pub(super) fn break_off_qa(&mut self, failure: &Failure) {
        self.state.qa.break_off(&failure.to_string());
    }

    /// An event of any session: the live scenario's are kept, and at its end compared.
    pub(super) fn take_qa_event(&mut self, event: &Event) {
        if !self.state.qa.take_event(event) {
            return;
        }
        let Some(live) = self.state.qa.live.as_ref() else {
            return;
        };
        let Some(scenario) = self.state.qa.scenario(&live.name) else {
            return;
        };
        self.job(Job::Qa(QaJob::Check {
            scenario: Box::new(scenario.clone()),
            events: live.events.clone(),
            folder: live.folder.clone(),
        }));
    }

    /// What happens by itself, once a frame.
    pub(super) fn tick_qa(&mut self, context: &Context) {
        self.tick_picture(context);
        if self.state.page != Page::Qa {
            if self.state.qa.play.is_some() {
                self.state.leave_samples();
            }
        } else if let Shown::Sample(_) = self.state.qa.shown {
            self.state.tick_sample(self.now, today());
            let next = self
                .state
                .qa
                .play
                .as_ref()
                .and_then(|p| p.next_change(self.now));
            if let Some(seconds) = next {
                again_in(context, seconds);
            }
        }
        self.tick_answers(context);
        // The picture of the one before is taken while that is still on screen.
        let free = !self.state.qa.is_running() && self.views.qa_picture.is_none();
        if free
            && self.state.qa.is_batch()
            && let Some(name) = self.state.qa.next_of_batch()
        {
            self.begin_live(&name, true);
        }
    }

    fn tick_answers(&mut self, context: &Context) {
        let Some(live) = self.state.qa.live.as_mut() else {
            return;
        };
        let (Stage::Running, Some(session)) = (live.stage, live.session.clone()) else {
            return;
        };
        let waiting = (self.state.approvals.of(&session)).filter(|pending| !pending.answered);
        let waiting = waiting.map(|pending| pending.request.id.clone());
        let due = live.answer_due(waiting.as_ref(), self.now);
        if let Some((_, at)) = &live.due {
            again_in(context, at - self.now);
        }
        if let Some(approval) = due {
            let decision = match self.state.qa.next_choice() {
                Choice::Approve => Decision::Approve,
                Choice::Deny => Decision::Deny { reason: None },
            };
            if let Some(live) = self.state.qa.live.as_mut() {
                live.answered += 1;
            }
            self.decide(session, approval, decision);
        }
    }

    /// Asks for a picture where one is wanted, and hands one that has come to the worker.
    fn tick_picture(&mut self, context: &Context) {
        if let Some(picture) = self.views.qa_picture.take() {
            match picture.comes.try_recv() {
                Ok(image) => self.job(Job::Qa(QaJob::Picture {
                    name: picture.name,
                    picture: image,
                })),
                Err(TryRecvError::Empty) => self.views.qa_picture = Some(picture),
                Err(TryRecvError::Disconnected) => {}
            }
        }
        let Some(live) = self.state.qa.live.as_mut().filter(|l| l.wants_picture) else {
            return;
        };
        live.wants_picture = false;
        let (send, comes) = sync_channel(1);
        let again = context.clone();
        context.request_screenshot(move |image| {
            if send.send(image).is_ok() {
                again.request_repaint();
            }
        });
        self.views.qa_picture = Some(Picture {
            name: live.name.clone(),
            comes,
        });
    }

    /// Carries out what is wanted of a sample, in memory. Gives back what is for the engine.
    pub(super) fn keep_from_engine(&mut self, command: UiCommand) -> Option<UiCommand> {
        let current = self.state.current.clone().filter(is_sample);
        match (command, current) {
            (
                UiCommand::Decide {
                    session,
                    approval,
                    decision,
                },
                _,
            ) if is_sample(&session) => {
                let (now, today) = (self.now, today());
                self.state.decide_sample(&approval, &decision, now, today);
            }
            (UiCommand::Run(Command::StopRun), Some(session)) => {
                self.state.stop_sample(&session, today());
            }
            (UiCommand::Send, Some(session)) => {
                if let Some(text) = self.state.draft_mut().take() {
                    self.say_in_sample(&session, text);
                }
            }
            (UiCommand::SendText(text), Some(session)) => self.say_in_sample(&session, text),
            (UiCommand::ShowApproval(approval), _) => {
                let pending = self.state.approvals.get(&approval);
                match pending.map(|p| p.session.clone()).filter(is_sample) {
                    Some(session) => self.look_at_sample(session),
                    None => return Some(UiCommand::ShowApproval(approval)),
                }
            }
            (UiCommand::Run(Command::GoToApproval | Command::FocusMessage), Some(session)) => {
                self.look_at_sample(session);
            }
            (UiCommand::OpenSession(session), _) if is_sample(&session) => {
                self.look_at_sample(session);
            }
            (UiCommand::Run(Command::NewSession), Some(_)) => {
                self.state.leave_samples();
                return Some(UiCommand::Run(Command::NewSession));
            }
            // A sample has no name to change, and leaving it is enough to be rid of it.
            (
                UiCommand::Run(Command::RenameSession | Command::DeleteSession)
                | UiCommand::SendQueuedNow(_)
                | UiCommand::Unqueue(_),
                Some(_),
            ) => {}
            (
                UiCommand::Rename { session, .. }
                | UiCommand::AskRename(session)
                | UiCommand::Delete(session),
                _,
            ) if is_sample(&session) => {}
            (command, _) => return Some(command),
        }
        None
    }

    fn say_in_sample(&mut self, session: &SessionId, text: String) {
        let reply = self.words().qa.sample_reply;
        let kept = text.clone();
        if self.state.say_in_sample(session, text, reply, today()) {
            self.views.chat.to_end();
        } else {
            self.state.draft_mut().give_back(kept);
        }
    }

    fn look_at_sample(&mut self, session: SessionId) {
        if self.state.approvals.of(&session).is_some() {
            self.views.chat.focus_card();
        } else {
            self.views.chat.focus_message();
        }
        self.state.current = Some(session);
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use wisp_engine::protocol::ApprovalId;

    use super::super::app::Start;
    use super::*;
    use crate::bridge::{Link, Wake, Worker};
    use crate::state::transcript::CallState;

    /// A window whose engine runs, in a data folder of its own.
    fn window(home: &std::path::Path) -> (Context, WindowApp) {
        let context = Context::default();
        let worker = Worker::start(Wake::default(), Some(home.to_owned())).unwrap();
        let start = Start {
            qa: true,
            ..Start::default()
        };
        let mut app = WindowApp::new(&context, Link::new(worker), start).unwrap();
        wait(&mut app, |app| app.state.engine.is_ready());
        wait(&mut app, |app| app.state.sessions.loaded);
        (context, app)
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "it waits for the engine's thread"
    )]
    fn wait(app: &mut WindowApp, ready: impl Fn(&WindowApp) -> bool) {
        let start = Instant::now();
        while !ready(app) {
            app.take_incoming();
            assert!(start.elapsed() < Duration::from_mins(1), "it never came");
            std::thread::yield_now();
        }
    }

    fn card(app: &WindowApp) -> (SessionId, ApprovalId) {
        let pending = &app.state.approvals.all()[0];
        (pending.session.clone(), pending.request.id.clone())
    }

    #[test]
    fn whatever_is_wanted_of_a_sample_stays_in_memory() {
        let home = tempfile::tempdir().unwrap();
        let (context, mut app) = window(home.path());
        let wish = |app: &mut WindowApp, command| app.run_command(&context, command);
        wish(
            &mut app,
            UiCommand::Qa(QaCommand::Show(Shown::Sample("write"))),
        );
        let (session, approval) = card(&app);
        for command in [
            UiCommand::Decide {
                session: session.clone(),
                approval: approval.clone(),
                decision: Decision::Approve,
            },
            UiCommand::Rename {
                session: session.clone(),
                title: "x".to_owned(),
            },
            UiCommand::AskRename(session.clone()),
            UiCommand::Delete(session.clone()),
            UiCommand::OpenSession(session.clone()),
            UiCommand::Run(Command::RenameSession),
            UiCommand::Run(Command::DeleteSession),
            UiCommand::Run(Command::GoToApproval),
            UiCommand::Run(Command::FocusMessage),
            UiCommand::Run(Command::StopRun),
            UiCommand::SendText("once more".to_owned()),
        ] {
            wish(&mut app, command.clone());
            assert_eq!(app.link.waiting(), 0, "{command:?} reached the engine");
        }
        assert_eq!(app.state.page, Page::Qa, "nothing leads away from it");
        assert!(app.views.dialog.is_none() && app.state.toasts.all().is_empty());
        let runs = &app.state.open_session().unwrap().transcript.runs;
        assert_eq!(runs.len(), 2, "the message was answered in memory");
        assert!(matches!(
            runs[0].steps[0].calls[0].state,
            CallState::Ended(_)
        ));

        // A new session begins without the folder that the sample claims to work on.
        wish(&mut app, UiCommand::Run(Command::NewSession));
        assert_eq!((app.state.page, &app.state.new_folder), (Page::Chat, &None));
        assert!(app.state.qa.play.is_none());
    }

    #[test]
    #[expect(
        clippy::disallowed_methods,
        reason = "the scenario's folder stays by itself"
    )]
    fn a_live_scenario_is_played_to_its_comparison() {
        let home = tempfile::tempdir().unwrap();
        let (context, mut app) = window(home.path());
        let name = "demo-write".to_owned();
        let by_itself = true;
        app.run_command(&context, UiCommand::Qa(QaCommand::Run { name, by_itself }));
        assert_eq!(app.state.qa.shown, Shown::Chat);
        wait(&mut app, |app| !app.state.approvals.all().is_empty());
        let session = card(&app).0;
        assert_eq!(
            app.state.current.as_ref(),
            Some(&session),
            "it is on screen"
        );
        app.tick_qa(&context);
        assert!(
            !app.state.approvals.all()[0].answered,
            "it can be seen first"
        );
        app.now += 1.0;
        app.tick_qa(&context);
        wait(&mut app, |app| !app.state.qa.results.is_empty());
        let result = &app.state.qa.results["demo-write"];
        assert!(result.passed(), "{result:?}");
        let folder = app.state.qa.live.as_ref().unwrap().folder.clone();
        let folder = folder.unwrap();
        assert!(!folder.starts_with(home.path()));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
