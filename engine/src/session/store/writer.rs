//! The store's thread: takes what is to be kept, commits it, and only then shows it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use rusqlite::{Connection, params};
use tokio::sync::{mpsc, oneshot};

use crate::handle::Outbox;
use crate::protocol::{
    Event, EventId, EventMsg, Failure, FailureKind, SessionId, SessionSummary, Update,
};
use crate::support::clock;

use super::database::{EVENTS, PRIVATE, statement_failure};
use super::folder::{DataFolder, FolderLock, StoreLocation, store_failure};
use super::queries::Reader;
use super::{private, recover};

/// Commands that may wait for the thread; a sender past that waits, so a slow disk slows the sessions
/// down instead of filling the memory.
const QUEUE: usize = 512;
/// Commands that share one commit.
const BATCH: usize = 256;
/// Characters of a first message that make a title.
const TITLE_CHARS: usize = 60;

/// A session as it is stored.
#[derive(Clone, Debug)]
pub(crate) struct StoredSession {
    /// Its row.
    pub(crate) summary: SessionSummary,
    /// Its events, oldest first.
    pub(crate) events: Vec<Event>,
}

/// Speaks to the store's thread. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    commands: mpsc::Sender<Command>,
    broken: Broken,
}

/// Why the last commit failed, until a new run tries again.
type Broken = Arc<Mutex<Option<Failure>>>;

enum Command {
    Event { session: SessionId, msg: EventMsg },
    Item { session: SessionId, body: String },
    Barrier(Barrier),
    Query(Box<dyn FnOnce(&mut Files) + Send>),
}

struct Barrier {
    /// Whether the logs go to the disk, so that a power cut doesn't take them.
    sync: bool,
    /// Whether an earlier failure is forgotten and writing is tried again.
    retry: bool,
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
    ) -> Result<(Self, JoinHandle<()>), Failure> {
        let mut files = Files::open(location)?;
        recover::mark_interrupted(&mut files.events)?;
        let (commands, queue) = mpsc::channel(QUEUE);
        let broken = Broken::default();
        let worker = Worker {
            files,
            outbox,
            broken: Arc::clone(&broken),
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
        Ok((Self { commands, broken }, thread))
    }

    /// Keeps an event and then shows it. Returns when it is queued; an error means that nothing can be
    /// kept at present, and that this event wasn't.
    pub(crate) async fn event(&self, session: &SessionId, msg: EventMsg) -> Result<(), Failure> {
        self.send(Command::Event {
            session: session.clone(),
            msg,
        })
        .await
    }

    /// Keeps an item of the private history, in order with the events.
    pub(crate) async fn item(&self, session: &SessionId, body: String) -> Result<(), Failure> {
        self.send(Command::Item {
            session: session.clone(),
            body,
        })
        .await
    }

    /// Waits until all that was sent before is committed, with `sync` also until it is on the disk.
    pub(crate) async fn settle(&self, sync: bool) -> Result<(), Failure> {
        self.barrier(sync, false).await
    }

    /// Forgets an earlier failure and tries whether writing works again.
    pub(crate) async fn try_again(&self) -> Result<(), Failure> {
        self.barrier(false, true).await
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
            delete(&mut files.events, &session).map_err(|error| statement_failure(&error))
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

    async fn barrier(&self, sync: bool, retry: bool) -> Result<(), Failure> {
        let (done, reached) = oneshot::channel();
        let barrier = Command::Barrier(Barrier { sync, retry, done });
        self.commands.send(barrier).await.map_err(|_| gone())?;
        reached.await.map_err(|_| gone())?
    }

    async fn send(&self, command: Command) -> Result<(), Failure> {
        let broken = self
            .broken
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        match broken {
            Some(failure) => Err(failure),
            None => self.commands.send(command).await.map_err(|_| gone()),
        }
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
                let (events, private) = (folder.events_file(), folder.private_file()?);
                Ok(Self {
                    events: EVENTS.open(&events)?,
                    private: PRIVATE.open(&private)?,
                    logs: vec![log_of(private), log_of(events)],
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

/// SQLite's write-ahead log of a file.
fn log_of(file: PathBuf) -> PathBuf {
    let mut log = file.into_os_string();
    log.push("-wal");
    log.into()
}

struct Worker {
    files: Files,
    outbox: Outbox,
    broken: Broken,
}

impl Worker {
    fn work(mut self, mut queue: mpsc::Receiver<Command>) {
        while let Some(first) = queue.blocking_recv() {
            let mut next = Some(first);
            let mut batch = Batch::default();
            let mut query = None;
            while let Some(command) = next {
                match command {
                    Command::Event { session, msg } => batch.events.push((session, msg)),
                    Command::Item { session, body } => batch.items.push((session, body)),
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
        if batch.barriers.iter().any(|barrier| barrier.retry) {
            self.set_broken(None);
        }
        let mut outcome = self.broken().map_or(Ok(()), Err);
        if outcome.is_ok() {
            outcome = self.write(&batch.items, batch.events);
            if let Err(failure) = &outcome {
                self.set_broken(Some(failure.clone()));
                self.outbox.send_blocking(Update::Alarm {
                    failure: failure.clone(),
                });
            }
        }
        if outcome.is_ok() && batch.barriers.iter().any(|barrier| barrier.sync) {
            outcome = self.files.sync();
        }
        for barrier in batch.barriers {
            // The asker may have been cancelled.
            drop(barrier.done.send(outcome.clone()));
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
        let stored =
            append(&mut self.files.events, events).map_err(|error| statement_failure(&error))?;
        for event in stored {
            self.outbox.send_blocking(Update::Event(event));
        }
        Ok(())
    }

    fn broken(&self) -> Option<Failure> {
        self.broken
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn set_broken(&self, failure: Option<Failure>) {
        *self.broken.lock().unwrap_or_else(PoisonError::into_inner) = failure;
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

/// Commits events in one transaction and gives them back numbered.
pub(super) fn append(
    db: &mut Connection,
    events: Vec<(SessionId, EventMsg)>,
) -> rusqlite::Result<Vec<Event>> {
    let transaction = db.transaction()?;
    let mut stored = Vec::with_capacity(events.len());
    for (session, msg) in events {
        let at = clock::now_millis();
        let body = serde_json::to_string(&msg)
            .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
        transaction
            .prepare_cached("INSERT INTO events (session, at, body) VALUES (?1, ?2, ?3)")?
            .execute(params![session.as_str(), at, body])?;
        let id = EventId(u64::try_from(transaction.last_insert_rowid()).unwrap_or_default());
        note_in_lists(&transaction, &session, at, &msg)?;
        stored.push(Event {
            id,
            session,
            at,
            msg,
        });
    }
    transaction.commit()?;
    Ok(stored)
}

/// Keeps the session's row and the search in step with its events.
fn note_in_lists(
    db: &Connection,
    session: &SessionId,
    at: u64,
    msg: &EventMsg,
) -> rusqlite::Result<()> {
    let session = session.as_str();
    match msg {
        EventMsg::SessionCreated { folder, mode } => {
            let folder = folder.as_ref().map(|folder| folder.display().to_string());
            db.prepare_cached(
                "INSERT INTO sessions (id, folder, mode, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?4)",
            )?
            .execute(params![session, folder, mode.name(), at])?;
        }
        EventMsg::SessionRenamed { title } => {
            db.prepare_cached("UPDATE sessions SET title = ?2, updated_at = ?3 WHERE id = ?1")?
                .execute(params![session, title, at])?;
        }
        EventMsg::RunStarted { run, text, .. } => {
            db.prepare_cached(
                "UPDATE sessions SET open_run = ?2, runs = runs + 1, updated_at = ?3,
                 title = CASE title WHEN '' THEN ?4 ELSE title END WHERE id = ?1",
            )?
            .execute(params![session, run.as_str(), at, title_of(text)])?;
            said(db, session, "user", at, text)?;
        }
        EventMsg::StepFinished { text, .. } => said(db, session, "assistant", at, text)?,
        EventMsg::RunFinished { .. } => {
            db.prepare_cached(
                "UPDATE sessions SET open_run = NULL, updated_at = ?2 WHERE id = ?1",
            )?
            .execute(params![session, at])?;
        }
        _ => {}
    }
    Ok(())
}

fn said(db: &Connection, session: &str, role: &str, at: u64, text: &str) -> rusqlite::Result<()> {
    if text.trim().is_empty() {
        return Ok(());
    }
    db.prepare_cached("INSERT INTO said (text, session, role, at) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![text, session, role, at])?;
    Ok(())
}

fn delete(db: &mut Connection, session: &SessionId) -> rusqlite::Result<()> {
    let transaction = db.transaction()?;
    for statement in [
        "DELETE FROM events WHERE session = ?1",
        "DELETE FROM said WHERE session = ?1",
        "DELETE FROM sessions WHERE id = ?1",
    ] {
        transaction.execute(statement, [session.as_str()])?;
    }
    transaction.commit()
}

/// The first line that says something, shortened.
fn title_of(text: &str) -> String {
    let line = text
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .unwrap_or_default();
    let mut title: String = line.chars().take(TITLE_CHARS).collect();
    if line.chars().nth(TITLE_CHARS).is_some() {
        title.push('…');
    }
    title
}

fn gone() -> Failure {
    Failure::new(FailureKind::Internal, "The store has stopped.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_the_first_line_that_says_something() {
        assert_eq!(title_of("\n  \n  hello \nworld"), "hello");
        assert_eq!(
            title_of(&"x".repeat(TITLE_CHARS)).chars().count(),
            TITLE_CHARS
        );
        let long = title_of(&"字".repeat(TITLE_CHARS + 1));
        assert_eq!(long.chars().count(), TITLE_CHARS + 1);
        assert!(long.ends_with('…'));
    }
}
