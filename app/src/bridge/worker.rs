//! A thread for what the window must not wait for.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
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

/// The next job; `None` when nobody can give one any more. Of preferences that wait one behind the other only
/// the last ones count. `ahead` is the job that was looked at behind them.
fn next_job(queue: &Receiver<Job>, ahead: &mut Option<Job>) -> Option<Job> {
    let mut job = ahead.take().or_else(|| queue.recv().ok())?;
    while matches!(job, Job::KeepPreferences(_)) {
        match queue.try_recv() {
            Ok(next @ Job::KeepPreferences(_)) => job = next,
            Ok(other) => {
                *ahead = Some(other);
                break;
            }
            Err(_) => break,
        }
    }
    Some(job)
}

/// The thread, as the window holds it. Dropped, it does what is still waiting, so that no wish is lost, and is
/// waited for.
#[derive(Debug)]
pub struct Worker {
    jobs: Option<SyncSender<Job>>,
    outcomes: Option<Receiver<Done>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Nobody looks at outcomes any more, so none waits for room.
        self.outcomes = None;
        self.jobs = None;
        if self
            .thread
            .take()
            .is_some_and(|thread| thread.join().is_err())
        {
            tracing::error!("the window's worker broke down");
        }
    }
}

impl Worker {
    /// Starts the thread. `home` is the data folder; `None` is the usual one.
    pub fn start(wake: Wake, home: Option<PathBuf>) -> std::io::Result<Self> {
        let (jobs, queue) = sync_channel::<Job>(JOBS);
        let (done, outcomes) = sync_channel::<Done>(OUTCOMES);
        let thread = std::thread::Builder::new()
            .name("wisp-worker".to_owned())
            .spawn(move || {
                let mut desk = jobs::Desk::new(wake.clone(), done.clone(), home);
                let mut ahead = None;
                while let Some(job) = next_job(&queue, &mut ahead) {
                    for outcome in desk.take(job) {
                        // A window that is gone misses it; what was asked for is done all the same.
                        if done.send(outcome).is_ok() {
                            wake.wake();
                        }
                    }
                }
            })?;
        Ok(Self {
            jobs: Some(jobs),
            outcomes: Some(outcomes),
            thread: Some(thread),
        })
    }

    /// Asks for something. Never waits: a full queue gives the job back.
    pub fn ask(&self, job: Job) -> Result<(), Box<Job>> {
        let Some(jobs) = &self.jobs else {
            return Err(Box::new(job));
        };
        match jobs.try_send(job) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(job) | TrySendError::Disconnected(job)) => Err(Box::new(job)),
        }
    }

    /// The next outcome, if one is there.
    pub fn try_next(&self) -> Option<Done> {
        self.outcomes.as_ref()?.try_recv().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::preferences::Preferences;

    #[test]
    fn of_a_burst_of_preferences_the_last_ones_are_kept_and_no_other_job_is_lost() {
        let (jobs, queue) = sync_channel(JOBS);
        let zoom = |zoom| {
            Job::KeepPreferences(Preferences {
                zoom,
                ..Preferences::default()
            })
        };
        jobs.send(zoom(1.1)).unwrap();
        jobs.send(zoom(1.2)).unwrap();
        jobs.send(Job::OpenLink("a".to_owned())).unwrap();
        jobs.send(zoom(1.3)).unwrap();
        drop(jobs);
        let mut ahead = None;
        let mut taken = Vec::new();
        while let Some(job) = next_job(&queue, &mut ahead) {
            taken.push(match job {
                Job::KeepPreferences(preferences) => preferences.zoom.to_string(),
                Job::OpenLink(address) => address,
                other => panic!("{other:?}"),
            });
        }
        assert_eq!(taken, ["1.2", "a", "1.3"]);
    }

    /// The next outcome, waiting for it.
    fn next(worker: &Worker) -> Done {
        let outcomes = worker.outcomes.as_ref().unwrap();
        outcomes.recv_timeout(Duration::from_secs(20)).unwrap()
    }

    #[test]
    fn what_was_asked_for_right_before_the_end_is_done() {
        let home = tempfile::tempdir().unwrap();
        let worker = Worker::start(Wake::default(), Some(home.path().to_owned())).unwrap();
        for steps in 1..=9 {
            let change = ("max_steps".to_owned(), Some(steps.to_string()));
            worker.ask(Job::ChangeSettings(vec![change])).unwrap();
        }
        let wanted = Preferences {
            zoom: 1.5,
            ..Preferences::default()
        };
        worker.ask(Job::KeepPreferences(wanted)).unwrap();
        drop(worker);
        let (kept, _) = wisp_engine::WindowSettings::load(home.path());
        assert!((kept.zoom - 1.5).abs() < f32::EPSILON);
    }

    #[test]
    fn a_change_that_is_refused_is_said_and_the_old_value_is_told_again() {
        let home = tempfile::tempdir().unwrap();
        let worker = Worker::start(Wake::default(), Some(home.path().to_owned())).unwrap();
        let steps = |steps: &str| {
            Job::ChangeSettings(vec![("max_steps".to_owned(), Some(steps.to_owned()))])
        };
        worker.ask(steps("12")).unwrap();
        worker.ask(steps("51")).unwrap();
        let Done::Loaded(loaded) = next(&worker) else {
            panic!("the change is read back")
        };
        assert_eq!(loaded.info.max_steps, 12);
        assert_eq!(loaded.settings.unwrap().max_steps, 12);
        let Done::Failed(failure) = next(&worker) else {
            panic!("the refusal is said")
        };
        assert!(failure.message.contains("50"), "{failure}");
        let Done::Loaded(loaded) = next(&worker) else {
            panic!("the old value is told")
        };
        assert_eq!(loaded.info.max_steps, 12);
    }

    #[test]
    fn a_preference_that_cant_be_written_is_said_and_a_size_is_not() {
        let home = tempfile::tempdir().unwrap();
        let file = wisp_engine::SettingsFile::of(home.path());
        #[expect(clippy::disallowed_methods, reason = "a person's slip in an editor")]
        std::fs::write(file.path(), "{{{").unwrap();
        let worker = Worker::start(Wake::default(), Some(home.path().to_owned())).unwrap();
        let sized = Preferences {
            size: [900.0, 700.0],
            ..Preferences::default()
        };
        let zoomed = Preferences {
            zoom: 1.5,
            ..sized.clone()
        };
        worker.ask(Job::KeepPreferences(sized)).unwrap();
        worker.ask(Job::KeepPreferences(zoomed)).unwrap();
        assert!(matches!(next(&worker), Done::NotKept(_)));
        drop(worker);
    }

    #[test]
    fn preferences_come_once_and_a_file_without_sense_is_moved_aside() {
        let home = tempfile::tempdir().unwrap();
        let file = wisp_engine::SettingsFile::of(home.path());
        #[expect(clippy::disallowed_methods, reason = "a person's slip in an editor")]
        std::fs::write(file.path(), "[window]\ntheme = 'light'\n{{{").unwrap();
        let worker = Worker::start(Wake::default(), Some(home.path().to_owned())).unwrap();
        worker.ask(Job::Start(jobs::Place::Real)).unwrap();
        let Done::Loaded(loaded) = next(&worker) else {
            panic!("what is there is told")
        };
        assert!(loaded.info.broken.is_some());
        assert!(matches!(next(&worker), Done::StartFailed(_)));
        worker
            .ask(Job::MoveSettingsAside(jobs::Place::Real))
            .unwrap();
        let Done::MovedAside(path) = next(&worker) else {
            panic!("it is moved aside")
        };
        assert!(path.exists() && !file.path().exists());
        let Done::Loaded(loaded) = next(&worker) else {
            panic!("the usual settings hold")
        };
        assert_eq!((loaded.info.broken, loaded.preferences), (None, None));
        assert!(matches!(next(&worker), Done::Started(_)));
    }
}
