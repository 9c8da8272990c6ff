//! The two queues between a client and the engine's thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;

use tokio::sync::mpsc;

use crate::config::Settings;
use crate::protocol::{Failure, FailureKind, Op, Submission, SubmissionId, Update};
use crate::session::configuration::Configuration;

/// Submissions that may wait; a client past that is told to come back.
pub(crate) const SUBMISSIONS: usize = 64;
/// Updates that may wait; the engine past that waits for its client.
pub(crate) const UPDATES: usize = 1024;

/// Called from the engine's threads whenever an update has been queued. Must be quick.
pub type Waker = Arc<dyn Fn() + Send + Sync>;

/// The engine's end of the update queue. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Outbox {
    queue: mpsc::Sender<Update>,
    waker: Waker,
}

impl Outbox {
    pub(crate) fn new(waker: Waker) -> (Self, mpsc::Receiver<Update>) {
        let (queue, updates) = mpsc::channel(UPDATES);
        (Self { queue, waker }, updates)
    }

    /// Queues an update, waiting for room. A client that is gone misses it.
    pub(crate) async fn send(&self, update: Update) {
        if self.queue.send(update).await.is_ok() {
            (self.waker)();
        }
    }

    /// The same for a thread of its own.
    pub(crate) fn send_blocking(&self, update: Update) {
        if self.queue.blocking_send(update).is_ok() {
            (self.waker)();
        }
    }
}

impl std::fmt::Debug for Outbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Outbox")
    }
}

/// A running engine, as its client holds it. Dropping it stops the engine: running tools are
/// cancelled, runs are left as interrupted, and the threads are waited for.
#[derive(Debug)]
pub struct EngineHandle {
    submissions: Option<mpsc::Sender<Submission>>,
    updates: Option<mpsc::Receiver<Update>>,
    next: AtomicU64,
    configuration: Arc<Configuration>,
    threads: Vec<JoinHandle<()>>,
}

impl EngineHandle {
    pub(crate) fn new(
        submissions: mpsc::Sender<Submission>,
        updates: mpsc::Receiver<Update>,
        configuration: Arc<Configuration>,
        threads: Vec<JoinHandle<()>>,
    ) -> Self {
        Self {
            submissions: Some(submissions),
            updates: Some(updates),
            next: AtomicU64::new(1),
            configuration,
            threads,
        }
    }

    /// Asks for something. Never waits: a full queue is an error, and nothing was asked.
    pub fn submit(&self, op: Op) -> Result<SubmissionId, Failure> {
        let id = SubmissionId(self.next.fetch_add(1, Ordering::Relaxed));
        let stopped = || Failure::new(FailureKind::Internal, "The engine has stopped.");
        let queue = self.submissions.as_ref().ok_or_else(stopped)?;
        match queue.try_send(Submission { id, op }) {
            Ok(()) => Ok(id),
            Err(mpsc::error::TrySendError::Full(_)) => Err(Failure::new(
                FailureKind::Busy,
                "The engine has not yet taken up what was asked before.",
            )
            .with_advice("Try again in a moment.")),
            Err(mpsc::error::TrySendError::Closed(_)) => Err(stopped()),
        }
    }

    /// Gives the engine other settings. They hold for the runs that start after this; a run that goes on
    /// ends with those it began with. Never waits. A setting that makes no sense is said by the next run,
    /// which is refused. The keys of all settings so far stay out of what is stored and shown.
    pub fn configure(&self, settings: Settings) {
        self.configuration.change(settings);
    }

    /// The next update, if one is there. Never waits.
    pub fn try_next(&mut self) -> Option<Update> {
        self.updates.as_mut()?.try_recv().ok()
    }

    /// The next update; `None` when the engine has stopped.
    pub async fn next(&mut self) -> Option<Update> {
        self.updates.as_mut()?.recv().await
    }

    /// The next update, waiting on this thread, which must not be one of a runtime.
    pub fn next_blocking(&mut self) -> Option<Update> {
        self.updates.as_mut()?.blocking_recv()
    }
}

impl Drop for EngineHandle {
    fn drop(&mut self) {
        // Without its queues the engine ends; nobody reads updates any more, so nothing waits for room.
        self.submissions = None;
        self.updates = None;
        for thread in self.threads.drain(..) {
            if thread.join().is_err() {
                tracing::error!("a thread of the engine broke down");
            }
        }
    }
}
