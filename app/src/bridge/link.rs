//! The engine's two queues and the worker's, as one place to ask and to look.

use std::collections::HashMap;

use wisp_engine::protocol::{
    Answer, ApprovalId, Event, Failure, FailureKind, Op, SessionId, SubmissionId, Update,
};
use wisp_engine::{EngineHandle, Settings};

use super::jobs::{Done, Job};
use super::worker::Worker;

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
}

/// Something that came in.
#[derive(Debug)]
pub enum Incoming {
    /// Something happened in a session.
    Event(Box<Event>),
    /// An answer, and what was asked.
    Answer(Asked, Box<Answer>),
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
        let engine = self.engine.as_ref().ok_or_else(|| {
            Failure::new(FailureKind::Busy, "The engine has not started yet.")
                .with_advice("Try again in a moment.")
        })?;
        let id = engine.submit(op)?;
        self.asked.insert(id, asked);
        Ok(())
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
