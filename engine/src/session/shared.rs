//! What all sessions of an engine share, and what is done for one without its actor.

use std::path::PathBuf;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::files::{Workspace, Writer};
use crate::handle::Outbox;
use crate::preview::Previews;
use crate::protocol::{
    Answer, EventMsg, Failure, FailureKind, Mode, RunId, RunOptions, RunOutcome, SessionId,
    SubmissionId, Update,
};
use crate::support::redact::Redactor;

use super::configuration::Configuration;
use super::folder;
use super::history::LeftOpen;
use super::run::Work;
use super::store::{Store, StoredSession, closing};

/// The most steps that a single run may be given, whatever the settings say.
pub const MAX_RUN_STEPS: u32 = 500;

/// The longest message of a user, in bytes. Two million are half a million tokens or more, about what the
/// largest windows of models hold beside an answer; a longer one could only be refused by the server.
pub const MAX_MESSAGE_BYTES: usize = 2_000_000;

/// What all sessions share.
pub(crate) struct Shared {
    pub(crate) store: Store,
    pub(crate) writer: Writer,
    /// The window's tabs, if there is a window.
    pub(crate) previews: Previews,
    /// Cancelled when the engine stops.
    pub(crate) stopping: CancellationToken,
    /// Folders that no tool may enter: the program's own data and the home's keys.
    pub(crate) denied_folders: Vec<PathBuf>,
    outbox: Outbox,
    configuration: Arc<Configuration>,
    pub(crate) redactor: Redactor,
}

impl Shared {
    pub(crate) fn new(
        store: Store,
        writer: Writer,
        previews: Previews,
        denied_folders: Vec<PathBuf>,
        outbox: Outbox,
        configuration: Arc<Configuration>,
        redactor: Redactor,
    ) -> Self {
        Self {
            store,
            writer,
            previews,
            stopping: CancellationToken::new(),
            denied_folders,
            outbox,
            configuration,
            redactor,
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
        if text.len() > MAX_MESSAGE_BYTES {
            return Err(Failure::new(
                FailureKind::BadSubmission,
                format!(
                    "The message has {} bytes, and {MAX_MESSAGE_BYTES} at most fit.",
                    text.len()
                ),
            )
            .with_advice("Put the text into a file of the session's folder and name the file."));
        }
        let (settings, client) = self.configuration.present();
        let max_steps = options.max_steps.unwrap_or(settings.max_steps);
        if !(1..=MAX_RUN_STEPS).contains(&max_steps) {
            return Err(Failure::new(
                FailureKind::BadSubmission,
                format!("A run takes 1 to {MAX_RUN_STEPS} steps, not {max_steps}."),
            ));
        }
        Ok(Work::Request {
            text,
            max_steps,
            client: client?,
        })
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

    /// A session's folder, opened anew.
    pub(crate) async fn workspace(&self, session: SessionId) -> Result<Arc<Workspace>, Failure> {
        let summary = self
            .store
            .read(move |reader| reader.summary(&session))
            .await?;
        let folder = summary.folder.ok_or_else(|| {
            let message = "This session has no folder, so there are no files to look at.";
            Failure::new(FailureKind::Folder, message).with_advice("Start a session on a folder.")
        })?;
        folder::reopen(folder, self.denied_folders.clone()).await
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
