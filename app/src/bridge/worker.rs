//! A thread for what the window must not wait for.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use eframe::egui::Context;

use super::jobs::{self, Done, Job};

/// Jobs that may wait.
const JOBS: usize = 64;
/// Outcomes that may wait.
const OUTCOMES: usize = 256;
/// The shortest time between two frames that something outside asks for: faster than any screen.
const FRAME: Duration = Duration::from_millis(7);

/// Wakes the window up, from any thread, once there is one.
#[derive(Clone, Default)]
pub struct Wake(Arc<OnceLock<Context>>);

impl Wake {
    /// Names the window. Only the first one counts.
    pub fn connect(&self, context: &Context) {
        self.0.get_or_init(|| context.clone());
    }

    /// Asks for a frame.
    pub fn wake(&self) {
        if let Some(context) = self.0.get() {
            context.request_repaint_after(FRAME);
        }
    }

    /// The window's context, once there is one.
    pub(super) fn context(&self) -> Option<&Context> {
        self.0.get()
    }

    /// The same, for the engine to hold.
    pub fn waker(&self) -> wisp_engine::Waker {
        let wake = self.clone();
        Arc::new(move || wake.wake())
    }
}

impl std::fmt::Debug for Wake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Wake")
    }
}

/// The thread, as the window holds it. Dropped, it ends after the job it is at.
#[derive(Debug)]
pub struct Worker {
    jobs: SyncSender<Job>,
    outcomes: Receiver<Done>,
}

impl Worker {
    /// Starts the thread. `home` is the data folder; `None` is the usual one.
    pub fn start(wake: Wake, home: Option<PathBuf>) -> std::io::Result<Self> {
        let (jobs, queue) = sync_channel::<Job>(JOBS);
        let (done, outcomes) = sync_channel::<Done>(OUTCOMES);
        std::thread::Builder::new()
            .name("wisp-worker".to_owned())
            .spawn(move || {
                let mut desk = jobs::Desk::new(wake.clone(), done.clone(), home);
                while let Ok(job) = queue.recv() {
                    for outcome in desk.take(job) {
                        if done.send(outcome).is_err() {
                            return;
                        }
                        wake.wake();
                    }
                }
            })?;
        Ok(Self { jobs, outcomes })
    }

    /// Asks for something. Never waits: a full queue gives the job back.
    pub fn ask(&self, job: Job) -> Result<(), Box<Job>> {
        match self.jobs.try_send(job) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(job) | TrySendError::Disconnected(job)) => Err(Box::new(job)),
        }
    }

    /// The next outcome, if one is there.
    pub fn try_next(&self) -> Option<Done> {
        self.outcomes.try_recv().ok()
    }
}
