//! Starting the engine, and reading its history without starting it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::mpsc;

use crate::config::Settings;
use crate::files::{Writer, key_folders};
use crate::handle::{EngineHandle, Outbox, SUBMISSIONS, Waker};
use crate::preview::Previews;
use crate::protocol::{Event, Failure, FailureKind, SearchHit, SessionId, SessionSummary};
use crate::router;
use crate::session::configuration::Configuration;
use crate::session::shared::Shared;
use crate::session::store::{DataFolder, Store, StoreLocation, read_beside};
use crate::support::redact::Redactor;

/// Threads for the engine's tasks. Blocking work has threads of its own.
const WORKERS: usize = 2;

/// What an engine is started with.
pub struct EngineConfig {
    /// Where sessions are kept.
    pub store: StoreLocation,
    /// The data folder, whose lock keeps changes of files in order among several programs, and which no
    /// tool may enter. `None`: this program is alone.
    pub home: Option<PathBuf>,
    /// The settings.
    pub settings: Settings,
    /// Whether the client shows tabs and takes tickets up. Without, the tools for tabs say that there is no window.
    pub window: bool,
    /// Called whenever an update has been queued.
    pub waker: Waker,
}

/// Starts an engine. Returns when its store is open and it takes submissions; a failure leaves nothing
/// running.
pub fn start(config: EngineConfig) -> Result<EngineHandle, Failure> {
    let (outbox, updates) = Outbox::new(config.waker);
    let lock_file = match &config.home {
        Some(home) => Some(DataFolder::prepare(home)?.writer_lock()?),
        None => None,
    };
    let redactor = Redactor::default();
    let configuration = Arc::new(Configuration::new(config.settings, redactor.clone()));
    let (store, store_thread) = Store::open(&config.store, outbox.clone(), redactor.clone())?;
    let previews = if config.window {
        Previews::with_window(outbox.clone())
    } else {
        Previews::default()
    };
    let shared = Arc::new(Shared::new(
        store,
        Writer::new(lock_file.as_deref()),
        previews,
        denied_folders(config.home),
        outbox,
        Arc::clone(&configuration),
        redactor,
    ));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(WORKERS)
        .thread_name("wisp-worker")
        .enable_all()
        .build()
        .map_err(|error| internal(format!("The engine's runtime could not start ({error}).")))?;
    let (submissions, queue) = mpsc::channel(SUBMISSIONS);
    let engine = std::thread::Builder::new()
        .name("wisp-engine".to_owned())
        .spawn(move || {
            runtime.block_on(router::route(shared, queue));
            // A tool that is stuck in the system must not keep the program from ending.
            runtime.shutdown_background();
        })
        .map_err(|error| internal(format!("The engine's thread could not start ({error}).")))?;
    Ok(EngineHandle::new(
        submissions,
        updates,
        configuration,
        vec![engine, store_thread],
    ))
}

/// Reads the history of a data folder without an engine, also while another program writes it.
#[derive(Clone, Debug)]
pub struct History {
    folder: PathBuf,
}

impl History {
    /// Of this data folder. A folder without one reads as empty.
    pub fn of(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
        }
    }

    /// All sessions, the last used first.
    #[expect(
        clippy::redundant_closure_for_method_calls,
        reason = "the method by itself is not general enough over the reader's lifetime"
    )]
    pub fn sessions(&self) -> Result<Vec<SessionSummary>, Failure> {
        read_beside(&self.folder, |reader| reader.sessions())
    }

    /// Whether a program is using the data folder. Where none is, a run that has not ended was interrupted,
    /// and the next start will say so in its session.
    pub fn is_in_use(&self) -> bool {
        matches!(DataFolder::existing(&self.folder), Ok(Some(folder)) if folder.is_in_use())
    }

    /// The one session whose id is, begins or ends with these characters.
    pub fn resolve(&self, part: &str) -> Result<SessionId, Failure> {
        read_beside(&self.folder, |reader| reader.resolve(part))
    }

    /// One session and its events, oldest first.
    pub fn session(&self, session: &SessionId) -> Result<(SessionSummary, Vec<Event>), Failure> {
        read_beside(&self.folder, |reader| reader.session(session))
            .map(|stored| (stored.summary, stored.events))
    }

    /// Where words were said, taken literally, the newest first.
    pub fn search(&self, query: &str, limit: u32) -> Result<Vec<SearchHit>, Failure> {
        read_beside(&self.folder, |reader| reader.search(query, limit))
    }
}

/// What no tool enters, whatever folder a session has: the program's own data, and the keys of the home.
fn denied_folders(data: Option<PathBuf>) -> Vec<PathBuf> {
    let home = directories::BaseDirs::new().map(|dirs| key_folders(dirs.home_dir()));
    data.into_iter().chain(home.into_iter().flatten()).collect()
}

fn internal(message: String) -> Failure {
    Failure::new(FailureKind::Internal, message)
}
