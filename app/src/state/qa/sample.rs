//! Samples: sessions made of events out of memory, which the very same chat and cards draw. No engine hears of
//! them: what the person answers changes only what is in memory.

use std::collections::HashMap;
use std::path::PathBuf;

use wisp_engine::protocol::{
    ApprovalId, Decision, DecisionSource, Event, EventId, EventMsg, Failure, Mode, RunId,
    RunOutcome, SessionId, SessionSummary, Usage,
};

use crate::state::AppState;
use crate::state::folds::FoldKey;

/// What the id of every sample's session begins with. The engine's own ids never do.
const PREFIX: &str = "sample-";

/// Whether a session is a sample, so that nothing of it may reach an engine.
pub fn is_sample(session: &SessionId) -> bool {
    session.as_str().starts_with(PREFIX)
}

/// What a sample plays.
#[derive(Debug, Default)]
pub struct Script {
    /// Its sessions; the first one is shown.
    pub sessions: Vec<SampleSession>,
}

/// One session of a sample.
#[derive(Debug)]
pub struct SampleSession {
    /// Its id, which makes it a sample.
    pub id: SessionId,
    /// Its title.
    pub title: String,
    /// The folder it claims to work on.
    pub folder: Option<PathBuf>,
    /// Why its events can't be read, for a sample of that.
    pub failure: Option<Failure>,
    /// What happens from the beginning.
    pub events: Vec<Timed>,
    /// What follows an answer.
    pub reactions: Vec<Reaction>,
    /// What is open from the beginning, besides what is by itself.
    pub open: Vec<FoldKey>,
}

/// Something that happens.
#[derive(Clone, Debug)]
pub struct Timed {
    /// How long after the one before it, in seconds.
    pub after: f64,
    /// What.
    pub msg: EventMsg,
}

/// What follows the answer to a card.
#[derive(Clone, Debug)]
pub struct Reaction {
    /// The card.
    pub approval: ApprovalId,
    /// After yes.
    pub approved: Vec<Timed>,
    /// After no.
    pub denied: Vec<Timed>,
}

/// A sample that is on screen.
#[derive(Debug, Default)]
pub struct Play {
    sessions: Vec<SessionId>,
    reactions: Vec<Reaction>,
    /// What is still to happen: when, in the window's seconds.
    due: Vec<(f64, SessionId, EventMsg)>,
    /// The number of each session's last event.
    numbers: HashMap<SessionId, u64>,
}

impl Play {
    /// Its sessions; the first one was shown first.
    pub fn sessions(&self) -> &[SessionId] {
        &self.sessions
    }

    /// Seconds until something happens by itself.
    pub fn next_change(&self, now: f64) -> Option<f64> {
        let soonest = self.due.iter().map(|(at, ..)| *at).reduce(f64::min);
        soonest.map(|at| (at - now).max(0.0))
    }

    fn plan(&mut self, session: &SessionId, events: Vec<Timed>, now: f64) {
        let mut at = now;
        for event in events {
            at += event.after;
            self.due.push((at, session.clone(), event.msg));
        }
    }
}

impl AppState {
    /// Shows a sample in place of the one before. `now` is the window's time in seconds, `today` the time of
    /// day in milliseconds since 1970 (UTC).
    pub fn play_sample(&mut self, script: Script, now: f64, today: u64) {
        self.drop_samples();
        if !self.current.as_ref().is_some_and(is_sample) {
            self.qa.before = self.current.take();
        }
        let mut play = Play::default();
        self.current = script.sessions.first().map(|session| session.id.clone());
        for session in script.sessions {
            self.sessions.put(SessionSummary {
                id: session.id.clone(),
                title: session.title,
                folder: session.folder,
                mode: Mode::Chat,
                created_at: today,
                updated_at: today,
                runs: 0,
                running: false,
            });
            let open = self.sessions.open_or_new(&session.id);
            open.ready = true;
            open.failure = session.failure;
            for key in session.open {
                self.folds.set(key, true);
            }
            play.plan(&session.id, session.events, now);
            play.reactions.extend(session.reactions);
            play.sessions.push(session.id);
        }
        self.qa.play = Some(play);
        self.tick_sample(now, today);
    }

    /// Lets happen what is due.
    pub fn tick_sample(&mut self, now: f64, today: u64) {
        let Some(play) = &mut self.qa.play else {
            return;
        };
        let due: Vec<_> = play.due.extract_if(.., |(at, ..)| *at <= now).collect();
        for (_, session, msg) in due {
            self.happen(session, msg, today);
        }
    }

    fn happen(&mut self, session: SessionId, msg: EventMsg, today: u64) {
        let Some(play) = &mut self.qa.play else {
            return;
        };
        let number = play.numbers.entry(session.clone()).or_default();
        *number += 1;
        let id = EventId(*number);
        self.apply(&Event {
            id,
            session,
            at: today,
            msg,
        });
    }

    /// Answers a sample's card, in memory alone.
    pub fn decide_sample(
        &mut self,
        approval: &ApprovalId,
        decision: &Decision,
        now: f64,
        today: u64,
    ) {
        let Some(pending) = self.approvals.get(approval).cloned() else {
            return;
        };
        let session = pending.session;
        self.happen(
            session.clone(),
            EventMsg::ApprovalResolved {
                run: pending.run,
                approval: approval.clone(),
                call: pending.request.call,
                decision: decision.clone(),
                source: DecisionSource::User,
            },
            today,
        );
        let Some(play) = &mut self.qa.play else {
            return;
        };
        let known = |reaction: &Reaction| reaction.approval == *approval;
        if let Some(place) = play.reactions.iter().position(known) {
            let reaction = play.reactions.remove(place);
            let follows = match decision {
                Decision::Approve => reaction.approved,
                Decision::Deny { .. } => reaction.denied,
            };
            play.plan(&session, follows, now);
        }
        self.tick_sample(now, today);
    }

    /// Ends the run of a sample's session, in memory alone.
    pub fn stop_sample(&mut self, session: &SessionId, today: u64) {
        if let Some(play) = &mut self.qa.play {
            play.due.retain(|(_, planned, _)| planned != session);
        }
        let running = (self.sessions.open(session)).and_then(|open| open.transcript.running());
        if let Some(run) = running {
            let msg = EventMsg::RunFinished {
                run: run.id.clone(),
                outcome: RunOutcome::Cancelled,
                side_effects: false,
                steps: u32::try_from(run.steps.len()).unwrap_or(u32::MAX),
                usage: Usage::default(),
                millis: today.saturating_sub(run.at),
            };
            self.happen(session.clone(), msg, today);
        }
    }

    /// Takes a message in a sample's session and answers it with these words, in memory alone. While a run
    /// goes on nothing happens; tells whether it was taken.
    pub fn say_in_sample(
        &mut self,
        session: &SessionId,
        text: String,
        reply: &str,
        today: u64,
    ) -> bool {
        let Some(open) = self.sessions.open(session) else {
            return false;
        };
        if open.is_running() {
            return false;
        }
        let run = RunId::new(format!("{session}-said-{}", open.transcript.runs.len()));
        let (step, usage, millis) = (1, Usage::default(), 1);
        let events = [
            EventMsg::RunStarted {
                run: run.clone(),
                text,
                max_steps: 1,
            },
            EventMsg::StepStarted {
                run: run.clone(),
                step,
            },
            EventMsg::StepFinished {
                run: run.clone(),
                step,
                text: reply.to_owned(),
                usage,
                millis,
            },
            EventMsg::RunFinished {
                run,
                outcome: RunOutcome::Done,
                side_effects: false,
                steps: 1,
                usage,
                millis,
            },
        ];
        for msg in events {
            self.happen(session.clone(), msg, today);
        }
        true
    }

    /// Forgets every sample, and shows what was on screen before.
    pub fn leave_samples(&mut self) {
        self.drop_samples();
        if self.current.as_ref().is_some_and(is_sample) {
            self.current = self.qa.before.take();
        }
        if matches!(self.qa.shown, super::Shown::Sample(_)) {
            self.qa.shown = super::Shown::Nothing;
        }
    }

    fn drop_samples(&mut self) {
        for session in self.qa.play.take().unwrap_or_default().sessions {
            self.sessions.forget(&session);
            self.approvals.forget(&session);
        }
    }
}
