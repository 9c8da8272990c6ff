//! What the simulator saw, for the tests that ask afterwards.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// So many requests and violations are remembered; later ones are counted only. A bench of 10,000
/// rounds fits, and the log stays under a few megabytes.
const MAX_ENTRIES: usize = 20_000;

/// What happened so far.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// The requests for a completion, in the order in which they came.
    pub requests: Vec<RequestLog>,
    /// Each broken rule. Empty is how it should be.
    pub violations: Vec<Violation>,
    /// How many connections were accepted.
    pub connections: usize,
    /// How many entries are missing above because the log was full.
    pub dropped: usize,
}

/// One request for a completion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestLog {
    /// The scenario that was played; empty when the request was refused before one was found.
    pub scenario: String,
    /// The turn of the scenario, counted from 1; 0 when none was played.
    pub turn: u32,
    /// The try of this very request, counted from 1; 0 when none was played.
    pub attempt: u32,
    /// The size of its body.
    pub bytes: usize,
    /// How many messages it held.
    pub messages: u32,
    /// The answer's status.
    pub status: u16,
    /// How the answer ended.
    pub delivery: Delivery,
}

/// How an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// It still goes on.
    Open,
    /// All of it was handed over.
    Whole,
    /// The simulator cut it, as the scenario says.
    Cut,
    /// The client left before its end.
    Left,
}

/// A request that broke a rule. It was answered with 400 (or 405, 404, 413).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Which rule.
    pub rule: Rule,
    /// What was wrong, in plain words.
    pub message: String,
}

/// What every request must keep to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Completions are asked for by POST.
    Method,
    /// The address exists.
    Path,
    /// The body is under the size limit.
    Size,
    /// The body is JSON.
    Json,
    /// The model is named, the answer is streamed, usage is included.
    Settings,
    /// Messages have the form and the order that a provider accepts.
    Messages,
    /// Each call is answered exactly once, in order, before the next message.
    Answers,
    /// The arguments of calls in the history are JSON objects.
    Arguments,
    /// A request extends an earlier one byte for byte, equals one, or starts a conversation.
    Prefix,
    /// The history holds what the model said, as it said it.
    History,
    /// Reasoning goes back where it must, verbatim.
    Reasoning,
    /// Tools are well formed, with names of their own, and stay the same within a run.
    Tools,
}

impl Violation {
    pub(super) fn new(rule: Rule, message: impl Into<String>) -> Self {
        Self {
            rule,
            message: message.into(),
        }
    }
}

/// The log while it is written.
#[derive(Debug, Default)]
pub(super) struct Recorder(Mutex<Log>);

impl Recorder {
    pub(super) fn snapshot(&self) -> Log {
        self.lock().clone()
    }

    pub(super) fn connection(&self) {
        self.lock().connections += 1;
    }

    /// Writes a request down; its number serves to say later how its answer ended.
    pub(super) fn request(&self, entry: RequestLog) -> usize {
        let mut log = self.lock();
        if log.requests.len() >= MAX_ENTRIES {
            log.dropped += 1;
            return usize::MAX;
        }
        log.requests.push(entry);
        log.requests.len() - 1
    }

    pub(super) fn delivered(&self, request: usize, delivery: Delivery) {
        if let Some(entry) = self.lock().requests.get_mut(request) {
            entry.delivery = delivery;
        }
    }

    pub(super) fn violation(&self, violation: Violation) {
        let mut log = self.lock();
        if log.violations.len() >= MAX_ENTRIES {
            log.dropped += 1;
        } else {
            log.violations.push(violation);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Log> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_log_counts_what_it_leaves_out() {
        let recorder = Recorder::default();
        for number in 0..MAX_ENTRIES {
            recorder.violation(Violation::new(Rule::Json, number.to_string()));
        }
        assert_eq!(recorder.snapshot().dropped, 0);
        recorder.violation(Violation::new(Rule::Json, "one more"));
        let log = recorder.snapshot();
        assert_eq!((log.violations.len(), log.dropped), (MAX_ENTRIES, 1));
    }
}
