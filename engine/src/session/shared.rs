//! What all sessions of an engine share, and what is done for one without its actor.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::config::Settings;
use crate::files::Writer;
use crate::handle::Outbox;
use crate::models::ModelClient;
use crate::protocol::{
    Answer, EventMsg, Failure, FailureKind, Mode, RunId, RunOptions, RunOutcome, SessionId,
    SubmissionId, Update,
};
use crate::support::redact::Redactor;

use super::folder;
use super::history::LeftOpen;
use super::run::Work;
use super::store::{Store, StoredSession, closing};

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
    pub(crate) redactor: Redactor,
    client: Mutex<Option<ModelClient>>,
}

impl Shared {
    pub(crate) fn new(
        store: Store,
        writer: Writer,
        denied_folders: Vec<PathBuf>,
        outbox: Outbox,
        settings: Settings,
        redactor: Redactor,
    ) -> Self {
        Self {
            store,
            writer,
            stopping: CancellationToken::new(),
            denied_folders,
            outbox,
            settings,
            redactor,
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
        let made = ModelClient::new(self.settings.model_settings(), self.redactor.clone())?;
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
        let store = self.store.renewed();
        for mut msg in closing(run, &events) {
            if let (EventMsg::RunFinished { outcome, .. }, Some(failure)) = (&mut msg, &failure) {
                *outcome = RunOutcome::Failed {
                    failure: failure.clone(),
                };
            }
            store.event(session, msg).await?;
        }
        store.settle(true).await
    }

    /// The same for the last run, as interrupted.
    pub(super) async fn close_last_run(&self, session: &SessionId) -> Result<(), Failure> {
        let id = session.clone();
        match self.store.read(move |reader| reader.last_run(&id)).await? {
            Some(run) => self.close_run(session, &run, None).await,
            None => Ok(()),
        }
    }

    /// What the last run left open, as its events tell it.
    pub(super) async fn left_open(&self, session: &SessionId) -> Result<LeftOpen, Failure> {
        let id = session.clone();
        self.store
            .read(move |reader| {
                let events = match reader.last_run(&id)? {
                    Some(run) => reader.events_of_run(&id, &run)?,
                    None => Vec::new(),
                };
                Ok(LeftOpen::of(events))
            })
            .await
    }

    /// Makes a session: resolves its folder, and stores its first event.
    pub(crate) async fn create_session(
        &self,
        folder: Option<PathBuf>,
        mode: Mode,
    ) -> Result<StoredSession, Failure> {
        let folder = match folder {
            None => None,
            Some(folder) => Some(folder::resolve(folder, self.denied_folders.clone()).await?),
        };
        let session = SessionId::new(Uuid::now_v7().simple().to_string());
        let store = self.store.renewed();
        store
            .event(&session, EventMsg::SessionCreated { folder, mode })
            .await?;
        store.settle(false).await?;
        store.read(move |reader| reader.session(&session)).await
    }
}
