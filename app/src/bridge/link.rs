//! The engine's two queues and the worker's, as one place to ask and to look.

use std::collections::HashMap;

use wisp_engine::protocol::{
    Answer, ApprovalId, Event, Failure, FailureKind, Op, SessionId, SubmissionId, TabId, Ticket,
    TicketId, Update,
};
use wisp_engine::{EngineHandle, Settings};

use super::jobs::{Done, Job};
use super::worker::Worker;
use crate::state::qa::is_sample;

/// What something was asked for, so that its answer can be placed.
#[derive(Clone, Debug, PartialEq)]
pub enum Asked {
    /// The list of sessions.
    List,
    /// A new session, to send this message in.
    Create {
        /// The message.
        message: Option<String>,
    },
    /// A session's events.
    Open(SessionId),
    /// A search for these words.
    Search(String),
    /// A run with this message.
    Start {
        /// The session.
        session: SessionId,
        /// The message.
        message: String,
    },
    /// The answer to a question.
    Decide(ApprovalId),
    /// The end of a run.
    Cancel(SessionId),
    /// A title.
    Rename,
    /// A deletion.
    Delete(SessionId),
    /// A ticket's claim.
    Claim(Ticket),
    /// A ticket's outcome, which nobody has to be told about.
    Outcome,
    /// A file for a tab.
    File(FileAsked),
    /// A folder of a tab's tree.
    Folder(FileAsked),
    /// That the person's change of a file is kept.
    Save {
        /// The session.
        session: SessionId,
        /// The tab.
        tab: TabId,
    },
    /// The session and the run of the QA panel's live scenario.
    Qa,
}

/// Which reading of which tab something is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileAsked {
    /// The session.
    pub session: SessionId,
    /// The tab.
    pub tab: TabId,
    /// The path.
    pub path: String,
    /// The reading's number in its tab.
    pub reading: u64,
}

/// Something that came in.
pub enum Incoming {
    /// Something happened in a session.
    Event(Box<Event>),
    /// An answer, and what was asked.
    Answer(Asked, Box<Answer>),
    /// A tool needs the window.
    Ticket(Ticket),
    /// A ticket is no longer waited for.
    TicketDropped(SessionId, TicketId),
    /// The store can't take events any more.
    Alarm(Failure),
    /// What the worker did.
    Done(Done),
}

/// The window's end of all queues.
#[derive(Debug)]
pub struct Link {
    engine: Option<EngineHandle>,
    asked: HashMap<SubmissionId, Asked>,
    worker: Worker,
}

impl Link {
    /// With a worker and no engine yet.
    pub fn new(worker: Worker) -> Self {
        Self {
            engine: None,
            asked: HashMap::new(),
            worker,
        }
    }

    /// The next thing that came in, if there is one. Never waits.
    pub fn try_next(&mut self) -> Option<Incoming> {
        if let Some(done) = self.worker.try_next() {
            return Some(Incoming::Done(done));
        }
        loop {
            match self.engine.as_mut()?.try_next()? {
                Update::Event(event) => return Some(Incoming::Event(Box::new(event))),
                Update::Ticket { ticket } => return Some(Incoming::Ticket(ticket)),
                Update::TicketDropped { session, ticket } => {
                    return Some(Incoming::TicketDropped(session, ticket));
                }
                Update::Alarm { failure } => return Some(Incoming::Alarm(failure)),
                Update::Answer { re, answer } => {
                    if let Some(asked) = self.asked.remove(&re) {
                        return Some(Incoming::Answer(asked, Box::new(answer)));
                    }
                }
            }
        }
    }

    /// Asks the engine. Never waits.
    pub fn ask(&mut self, op: Op, asked: Asked) -> Result<(), Failure> {
        if session_of(&op).is_some_and(is_sample) {
            return Err(Failure::new(
                FailureKind::BadSubmission,
                "This session is a sample out of memory; no engine knows it.",
            )
            .with_advice("Nothing was asked, and nothing has changed."));
        }
        let engine = self.engine.as_ref().ok_or_else(|| {
            Failure::new(FailureKind::Busy, "The engine has not started yet.")
                .with_advice("Try again in a moment.")
        })?;
        let id = engine.submit(op)?;
        self.asked.insert(id, asked);
        Ok(())
    }

    /// How many answers of the engine are still to come.
    #[cfg(test)]
    pub(crate) fn waiting(&self) -> usize {
        self.asked.len()
    }

    /// Gives the worker a job. Never waits.
    pub fn job(&self, job: Job) -> Result<(), Failure> {
        self.worker.ask(job).map_err(|_| {
            Failure::new(FailureKind::Busy, "Too much is waiting to be done.")
                .with_advice("Try again in a moment.")
        })
    }

    /// Takes an engine in place of the one before, which ends on the worker's thread.
    pub fn connect(&mut self, engine: EngineHandle) {
        self.asked.clear();
        if let Some(old) = self.engine.replace(engine) {
            self.release(old);
        }
    }

    /// Lets the engine go.
    pub fn disconnect(&mut self) {
        self.asked.clear();
        if let Some(old) = self.engine.take() {
            self.release(old);
        }
    }

    /// Asks these last things and waits for their answers; for the window's end only. Gives them with what was
    /// asked. An engine that stops answers no more.
    pub fn finish(&mut self, ops: Vec<Op>) -> Vec<(Op, Answer)> {
        let Some(mut engine) = self.engine.take() else {
            return Vec::new();
        };
        let mut open: HashMap<SubmissionId, Op> = (ops.into_iter())
            .filter_map(|op| Some((engine.submit(op.clone()).ok()?, op)))
            .collect();
        let mut answers = Vec::new();
        while !open.is_empty() {
            match engine.next_blocking() {
                None => break,
                Some(Update::Answer { re, answer }) => {
                    answers.extend(open.remove(&re).map(|op| (op, answer)));
                }
                Some(_) => {}
            }
        }
        answers
    }

    fn release(&self, engine: EngineHandle) {
        // A full queue drops it right here: late, but nothing is lost.
        drop(self.worker.ask(Job::Release(engine)));
    }

    /// Gives the engine other settings, for runs that start from now on.
    pub fn configure(&self, settings: Settings) {
        if let Some(engine) = &self.engine {
            engine.configure(settings);
        }
    }
}

/// The session that something is asked of.
fn session_of(op: &Op) -> Option<&SessionId> {
    match op {
        Op::OpenSession { session }
        | Op::RenameSession { session, .. }
        | Op::DeleteSession { session }
        | Op::StartRun { session, .. }
        | Op::CallTool { session, .. }
        | Op::Decide { session, .. }
        | Op::CancelRun { session, .. }
        | Op::ClaimTicket { session, .. }
        | Op::FinishTicket { session, .. }
        | Op::ReadPreview { session, .. }
        | Op::SavePreview { session, .. } => Some(session),
        Op::CreateSession { .. }
        | Op::ListSessions
        | Op::SearchSessions { .. }
        | Op::ListTools { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use wisp_engine::protocol::{Decision, RunOptions};

    use super::super::worker::Wake;
    use super::*;

    #[test]
    fn nothing_of_a_sample_is_ever_asked_of_an_engine() {
        let home = tempfile::tempdir().unwrap();
        let worker = Worker::start(Wake::default(), Some(home.path().to_owned())).unwrap();
        let mut link = Link::new(worker);
        let ops = |id: &str| {
            let session = SessionId::new(id);
            [
                Op::OpenSession {
                    session: session.clone(),
                },
                Op::RenameSession {
                    session: session.clone(),
                    title: "x".to_owned(),
                },
                Op::DeleteSession {
                    session: session.clone(),
                },
                Op::StartRun {
                    session: session.clone(),
                    text: "x".to_owned(),
                    options: RunOptions::default(),
                },
                Op::CallTool {
                    session: session.clone(),
                    tool: "x".to_owned(),
                    arguments: "{}".to_owned(),
                },
                Op::Decide {
                    session: session.clone(),
                    approval: ApprovalId::new("a"),
                    decision: Decision::Approve,
                },
                Op::CancelRun { session, run: None },
            ]
        };
        for op in ops("sample-1-write") {
            let refused = link.ask(op, Asked::Rename).unwrap_err();
            assert_eq!(refused.kind, FailureKind::BadSubmission);
        }
        // With another session it gets as far as the engine, which hasn't started here.
        for op in ops("0198") {
            let refused = link.ask(op, Asked::Rename).unwrap_err();
            assert_eq!(refused.kind, FailureKind::Busy);
        }
    }
}
