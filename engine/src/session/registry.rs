//! All sessions of an engine: what they share, and the way to each one's actor.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::config::Settings;
use crate::files::{Workspace, Writer};
use crate::handle::Outbox;
use crate::models::ModelClient;
use crate::protocol::{
    Answer, EventMsg, Failure, FailureKind, Mode, RunId, RunOptions, RunOutcome, SessionId,
    SubmissionId, Update,
};
use crate::support::redact::Redactor;

use super::actor::{Actor, SessionOp};
use super::run::Work;
use super::store::{Store, StoredSession, closing};

/// Requests that may wait for one session.
const INBOX: usize = 32;
/// The most steps that a single run may be given, whatever the settings say.
pub const MAX_RUN_STEPS: u32 = 500;

/// What all sessions share.
pub(crate) struct Shared {
    pub(crate) store: Store,
    pub(crate) writer: Writer,
    /// Cancelled when the engine stops.
    pub(crate) stopping: CancellationToken,
    /// Folders that no tool may enter: the program's own data and the home's keys.
    pub(crate) denied_folders: Vec<PathBuf>,
    outbox: Outbox,
    settings: Settings,
    client: Mutex<Option<ModelClient>>,
}

impl Shared {
    pub(crate) fn new(
        store: Store,
        writer: Writer,
        denied_folders: Vec<PathBuf>,
        outbox: Outbox,
        settings: Settings,
    ) -> Self {
        Self {
            store,
            writer,
            stopping: CancellationToken::new(),
            denied_folders,
            outbox,
            settings,
            client: Mutex::default(),
        }
    }

    /// Answers a submission.
    pub(crate) async fn answer(&self, re: SubmissionId, answer: Answer) {
        self.outbox.send(Update::Answer { re, answer }).await;
    }

    /// What a run for the user's words needs; refused before it starts where a setting is wrong.
    pub(super) fn request(&self, text: String, options: RunOptions) -> Result<Work, Failure> {
        if text.trim().is_empty() {
            return Err(Failure::new(
                FailureKind::BadSubmission,
                "The message is empty.",
            ));
        }
        let max_steps = options.max_steps.unwrap_or(self.settings.max_steps);
        if !(1..=MAX_RUN_STEPS).contains(&max_steps) {
            return Err(Failure::new(
                FailureKind::BadSubmission,
                format!("A run takes 1 to {MAX_RUN_STEPS} steps, not {max_steps}."),
            ));
        }
        Ok(Work::Request {
            text,
            max_steps,
            client: self.client()?,
        })
    }

    fn client(&self) -> Result<ModelClient, Failure> {
        let mut client = self.client.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = &*client {
            return Ok(client.clone());
        }
        let redactor = Redactor::new(self.settings.api_key.clone());
        let made = ModelClient::new(self.settings.model_settings(), redactor)?;
        *client = Some(made.clone());
        Ok(made)
    }

    /// Writes the end of a run that could not write it itself.
    pub(super) async fn close_run(
        &self,
        session: &SessionId,
        run: &RunId,
        failure: Option<Failure>,
    ) -> Result<(), Failure> {
        let (id, of) = (session.clone(), run.clone());
        let events = self
            .store
            .read(move |reader| reader.events_of_run(&id, &of))
            .await?;
        for mut msg in closing(run, &events) {
            if let (EventMsg::RunFinished { outcome, .. }, Some(failure)) = (&mut msg, &failure) {
                *outcome = RunOutcome::Failed {
                    failure: failure.clone(),
                };
            }
            self.store.event(session, msg).await?;
        }
        self.store.settle(true).await
    }

    /// The same for the last run, as interrupted.
    pub(super) async fn close_last_run(&self, session: &SessionId) -> Result<(), Failure> {
        let id = session.clone();
        match self.store.read(move |reader| reader.last_run(&id)).await? {
            Some(run) => self.close_run(session, &run, None).await,
            None => Ok(()),
        }
    }

    /// The text that was shown of the last run's last step, if that step never finished.
    pub(super) async fn unfinished_text(&self, session: &SessionId) -> Result<String, Failure> {
        let id = session.clone();
        self.store
            .read(move |reader| {
                let Some(run) = reader.last_run(&id)? else {
                    return Ok(String::new());
                };
                let mut text = String::new();
                for event in reader.events_of_run(&id, &run)? {
                    match event.msg {
                        EventMsg::TextDelta { text: piece, .. } => text.push_str(&piece),
                        EventMsg::StepStarted { .. } | EventMsg::StepFinished { .. } => {
                            text.clear();
                        }
                        _ => {}
                    }
                }
                Ok(text)
            })
            .await
    }
}

/// Opens a session's folder.
pub(super) fn open_workspace(folder: &Path, denied: &[PathBuf]) -> Result<Workspace, Failure> {
    Workspace::open(folder, denied)
        .map_err(|error| Failure::new(FailureKind::Folder, error.to_string()))
}

/// Finds the actors, and wakes up those that sleep in the store.
pub(crate) struct Registry {
    shared: Arc<Shared>,
    actors: HashMap<SessionId, mpsc::Sender<(SubmissionId, SessionOp)>>,
    tasks: JoinSet<()>,
}

impl Registry {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        Self {
            shared,
            actors: HashMap::new(),
            tasks: JoinSet::new(),
        }
    }

    /// Hands a request to a session's actor. `Err` is the answer when it can't be.
    pub(crate) fn ask(
        &mut self,
        re: SubmissionId,
        session: &SessionId,
        op: SessionOp,
    ) -> Result<(), Failure> {
        use mpsc::error::TrySendError;
        // Those that have ended are forgotten here, so that the set doesn't grow with the years.
        while self.tasks.try_join_next().is_some() {}
        let Some(actor) = self.actors.get(session) else {
            return self.wake(re, session, op);
        };
        match actor.try_send((re, op)) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(_)) => Err(Failure::new(
                FailureKind::Busy,
                "The session has not yet taken up what was asked before.",
            )),
            Err(TrySendError::Closed((re, op))) => self.wake(re, session, op),
        }
    }

    fn wake(
        &mut self,
        re: SubmissionId,
        session: &SessionId,
        op: SessionOp,
    ) -> Result<(), Failure> {
        let (actor, inbox) = mpsc::channel(INBOX);
        let queued = actor.try_send((re, op));
        self.tasks
            .spawn(Actor::new(session.clone(), Arc::clone(&self.shared), inbox).live());
        self.actors.insert(session.clone(), actor);
        queued
            .map_err(|_| Failure::new(FailureKind::Internal, "The session could not be woken up."))
    }

    /// Cancels what runs and waits until every actor has put its things away.
    pub(crate) async fn stop(mut self) {
        self.shared.stopping.cancel();
        self.actors.clear();
        while let Some(ended) = self.tasks.join_next().await {
            if let Err(error) = ended {
                tracing::error!(%error, "a session's actor broke down");
            }
        }
    }
}

/// Makes a session: resolves its folder, and stores its first event.
pub(crate) async fn create(
    shared: &Shared,
    folder: Option<PathBuf>,
    mode: Mode,
) -> Result<StoredSession, Failure> {
    let folder = match folder {
        None => None,
        Some(folder) => {
            let denied = shared.denied_folders.clone();
            let opened =
                tokio::task::spawn_blocking(move || open_workspace(&folder, &denied)).await;
            let workspace = opened.map_err(|error| {
                Failure::new(
                    FailureKind::Internal,
                    format!("The folder could not be opened ({error})."),
                )
            })??;
            let path = workspace.path().to_owned();
            if path.to_str().is_none() {
                return Err(Failure::new(
                    FailureKind::Folder,
                    format!("The folder's name is not UTF-8: {}.", path.display()),
                )
                .with_advice("Rename it, or choose another folder."));
            }
            Some(path)
        }
    };
    let session = SessionId::new(Uuid::now_v7().simple().to_string());
    shared
        .store
        .event(&session, EventMsg::SessionCreated { folder, mode })
        .await?;
    shared.store.settle(false).await?;
    shared
        .store
        .read(move |reader| reader.session(&session))
        .await
}
