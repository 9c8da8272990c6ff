//! The store's thread: takes what is to be kept, commits it, and only then shows it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use crate::handle::Outbox;
use crate::protocol::{Event, EventMsg, Failure, FailureKind, SessionId, SessionSummary, Update};
use crate::support::redact::Redactor;

use super::database::{EVENTS, PRIVATE, log_of, statement_failure};
use super::folder::{DataFolder, FolderLock, StoreLocation, store_failure};
use super::queries::Reader;
use super::{events, private, recover};

/// Commands that may wait for the thread; a sender past that waits, so a slow disk slows the sessions
/// down instead of filling the memory.
const QUEUE: usize = 512;
/// Commands that share one commit.
const BATCH: usize = 256;

/// A session as it is stored.
#[derive(Clone, Debug)]
pub(crate) struct StoredSession {
    /// Its row.
    pub(crate) summary: SessionSummary,
    /// Its events, oldest first.
    pub(crate) events: Vec<Event>,
}

/// Speaks to the store's thread. Cheap to clone.
///
/// Whoever writes does so in an epoch, which ends with the first commit that fails: from then on nothing
/// more of it is kept, also when the disk has room again, so that no session's log ever has a hole. The
/// next run begins with [`Store::renewed`].
#[derive(Clone, Debug)]
pub(crate) struct Store {
    commands: mpsc::Sender<Command>,
    state: Arc<Mutex<State>>,
    epoch: u64,
}

/// What the thread tells those who write.
#[derive(Debug, Default)]
struct State {
    epoch: u64,
    /// Why the last epoch ended.
    failure: Option<Failure>,
}

enum Command {
    Event {
        epoch: u64,
        session: SessionId,
        msg: EventMsg,
    },
    Item {
        epoch: u64,
        session: SessionId,
        body: String,
    },
    Barrier(Barrier),
    Query(Box<dyn FnOnce(&mut Files) + Send>),
}

struct Barrier {
    /// Whether the logs go to the disk, so that a power cut doesn't take them.
    sync: bool,
    epoch: u64,
    done: oneshot::Sender<Result<(), Failure>>,
}

/// Both open files.
pub(super) struct Files {
    pub(super) events: Connection,
    pub(super) private: Connection,
    /// The write-ahead logs of both, where they are on a disk.
    logs: Vec<PathBuf>,
    _lock: Option<FolderLock>,
}

impl Store {
    /// Opens the files, marks what an earlier end of the program interrupted, and starts the thread.
    /// Blocks while it does. The thread ends when every clone of the store is gone.
    pub(crate) fn open(
        location: &StoreLocation,
        outbox: Outbox,
        redactor: Redactor,
    ) -> Result<(Self, JoinHandle<()>), Failure> {
        let mut files = Files::open(location)?;
        recover::mark_interrupted(&mut files.events, &redactor)?;
        let (commands, queue) = mpsc::channel(QUEUE);
        let state = Arc::<Mutex<State>>::default();
        let worker = Worker {
            files,
            outbox,
            redactor,
            state: Arc::clone(&state),
        };
        let thread = std::thread::Builder::new()
            .name("wisp-store".to_owned())
            .spawn(move || worker.work(queue))
            .map_err(|error| {
                Failure::new(
                    FailureKind::Internal,
                    format!("The store's thread could not start ({error})."),
                )
            })?;
        let store = Self {
            commands,
            state,
            epoch: 0,
        };
        Ok((store, thread))
    }

    /// The same in the present epoch, for whoever begins anew.
    pub(crate) fn renewed(&self) -> Self {
        Self {
            epoch: self.lock().epoch,
            ..self.clone()
        }
    }

    /// Keeps an event and then shows it. Returns when it is queued. An error means that the epoch is over
    /// and this event isn't kept; one that is queued when the epoch ends isn't kept either, and
    /// [`Store::settle`] says so.
    pub(crate) async fn event(&self, session: &SessionId, msg: EventMsg) -> Result<(), Failure> {
        self.send(Command::Event {
            epoch: self.epoch,
            session: session.clone(),
            msg,
        })
        .await
    }

    /// Keeps an item of the private history, in order with the events.
    pub(crate) async fn item(&self, session: &SessionId, body: String) -> Result<(), Failure> {
        self.send(Command::Item {
            epoch: self.epoch,
            session: session.clone(),
            body,
        })
        .await
    }

    /// Waits until all that was sent before is committed, with `sync` also until it is on the disk.
    pub(crate) async fn settle(&self, sync: bool) -> Result<(), Failure> {
        let (done, reached) = oneshot::channel();
        let barrier = Command::Barrier(Barrier {
            sync,
            epoch: self.epoch,
            done,
        });
        self.commands.send(barrier).await.map_err(|_| gone())?;
        reached.await.map_err(|_| gone())?
    }

    /// Runs a read on the thread, after all that was sent before.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Reader<'_>) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        self.query(|files| read(&Reader::new(&files.events))).await
    }

    /// The private history of a session, oldest first.
    pub(crate) async fn items(&self, session: &SessionId) -> Result<Vec<String>, Failure> {
        let session = session.clone();
        self.query(move |files| private::items(&files.private, &session))
            .await
    }

    /// Deletes a session from both files.
    pub(crate) async fn delete(&self, session: &SessionId) -> Result<(), Failure> {
        let session = session.clone();
        self.query(move |files| {
            private::delete(&files.private, &session)?;
            events::delete(&mut files.events, &session)
                .map_err(|error| statement_failure(&error))?;
            // What was deleted must not go on living in the logs.
            for db in [&files.private, &files.events] {
                db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
                    .map_err(|error| statement_failure(&error))?;
            }
            Ok(())
        })
        .await
    }

    /// Sets how many pages the events' file may have, which is how a full disk looks to it.
    #[cfg(test)]
    pub(crate) async fn limit_pages(&self, pages: i64) {
        let limited = self.query(move |files| {
            files
                .events
                .pragma_update(None, "max_page_count", pages)
                .map_err(|error| statement_failure(&error))
        });
        limited.await.unwrap();
    }

    async fn query<T: Send + 'static>(
        &self,
        query: impl FnOnce(&mut Files) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let (answer, answered) = oneshot::channel();
        let query = Command::Query(Box::new(move |files| {
            // Nobody waits any more when the asker was cancelled.
            drop(answer.send(query(files)));
        }));
        self.commands.send(query).await.map_err(|_| gone())?;
        answered.await.map_err(|_| gone())?
    }

    async fn send(&self, command: Command) -> Result<(), Failure> {
        self.lock().of_epoch(self.epoch)?;
        self.commands.send(command).await.map_err(|_| gone())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Whether what is written in this epoch is still kept.
    fn of_epoch(&self, epoch: u64) -> Result<(), Failure> {
        if epoch == self.epoch {
            return Ok(());
        }
        Err(self.failure.clone().unwrap_or_else(gone))
    }
}

impl Files {
    fn open(location: &StoreLocation) -> Result<Self, Failure> {
        match location {
            StoreLocation::Memory => Ok(Self {
                events: EVENTS.open_in_memory()?,
                private: PRIVATE.open_in_memory()?,
                logs: Vec::new(),
                _lock: None,
            }),
            StoreLocation::Folder(path) => {
                let folder = DataFolder::prepare(path)?;
                let lock = folder.lock()?;
                folder.make_files()?;
                let (events, private) = (folder.events_file(), folder.private_file());
                Ok(Self {
                    events: EVENTS.open(&events)?,
                    private: PRIVATE.open(&private)?,
                    logs: vec![log_of(&private), log_of(&events)],
                    _lock: Some(lock),
                })
            }
        }
    }

    /// Brings both logs to the disk.
    fn sync(&self) -> Result<(), Failure> {
        for log in &self.logs {
            let synced = std::fs::File::open(log).and_then(|log| log.sync_data());
            match synced {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(store_failure(format!(
                        "The history could not be brought to the disk ({error})."
                    )));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

struct Worker {
    files: Files,
    outbox: Outbox,
    redactor: Redactor,
    state: Arc<Mutex<State>>,
}

impl Worker {
    fn work(mut self, mut queue: mpsc::Receiver<Command>) {
        while let Some(first) = queue.blocking_recv() {
            let epoch = self.lock().epoch;
            let mut next = Some(first);
            let mut batch = Batch::default();
            let mut query = None;
            while let Some(command) = next {
                match command {
                    Command::Event {
                        epoch: of,
                        session,
                        msg,
                    } if of == epoch => batch.events.push((session, msg)),
                    Command::Item {
                        epoch: of,
                        session,
                        body,
                    } if of == epoch => batch.items.push((session, body)),
                    // Of an epoch that is over; its barriers say so.
                    Command::Event { .. } | Command::Item { .. } => {}
                    Command::Barrier(barrier) => batch.barriers.push(barrier),
                    Command::Query(run) => query = Some(run),
                }
                let full = query.is_some() || batch.len() >= BATCH;
                next = if full { None } else { queue.try_recv().ok() };
            }
            self.commit(batch);
            if let Some(query) = query {
                query(&mut self.files);
            }
        }
    }

    fn commit(&mut self, batch: Batch) {
        let sync = batch.barriers.iter().any(|barrier| barrier.sync);
        let written = self.write(&batch.items, batch.events);
        let done = written.and_then(|()| if sync { self.files.sync() } else { Ok(()) });
        if let Err(failure) = done {
            let mut state = self.lock();
            state.epoch += 1;
            state.failure = Some(failure.clone());
            drop(state);
            self.outbox.send_blocking(Update::Alarm { failure });
        }
        for barrier in batch.barriers {
            let reached = self.lock().of_epoch(barrier.epoch);
            // The asker may have been cancelled.
            drop(barrier.done.send(reached));
        }
    }

    /// Commits, the private items first: an event that is shown may rely on them. Then shows.
    fn write(
        &mut self,
        items: &[(SessionId, String)],
        events: Vec<(SessionId, EventMsg)>,
    ) -> Result<(), Failure> {
        if !items.is_empty() {
            private::append(&mut self.files.private, items)
                .map_err(|error| statement_failure(&error))?;
        }
        if events.is_empty() {
            return Ok(());
        }
        let stored = events::append(&mut self.files.events, events, &self.redactor)
            .map_err(|error| statement_failure(&error))?;
        for event in stored {
            self.outbox.send_blocking(Update::Event(event));
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Default)]
struct Batch {
    events: Vec<(SessionId, EventMsg)>,
    items: Vec<(SessionId, String)>,
    barriers: Vec<Barrier>,
}

impl Batch {
    fn len(&self) -> usize {
        self.events.len() + self.items.len() + self.barriers.len()
    }
}

fn gone() -> Failure {
    Failure::new(FailureKind::Internal, "The store has stopped.")
}
