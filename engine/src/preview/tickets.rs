//! Tickets: each is made for one call, claimed once by the window, and answered once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::handle::Outbox;
use crate::protocol::{
    Answer, Failure, FailureKind, PreviewRequest, Refusal, RunId, SessionId, TabAction, Ticket,
    TicketId, TicketOutcome, ToolErrorKind, Update,
};
use crate::toolkit::{ToolError, ToolResult};

use super::lists::Lists;

/// How long a ticket waits to be claimed.
pub(crate) const CLAIM_WITHIN: Duration = Duration::from_secs(10);
/// How long a claimed ticket waits for its outcome, unless the person is asked.
pub(crate) const FINISH_WITHIN: Duration = Duration::from_secs(30);

/// The window as tools see it: there or not. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Previews {
    desk: Option<Arc<Desk>>,
}

struct Desk {
    outbox: Outbox,
    patience: Patience,
    lists: Lists,
    open: Mutex<HashMap<TicketId, Open>>,
}

/// How long tickets wait.
#[derive(Clone, Copy, Debug)]
struct Patience {
    claim: Duration,
    finish: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            claim: CLAIM_WITHIN,
            finish: FINISH_WITHIN,
        }
    }
}

struct Open {
    session: SessionId,
    /// Until it is claimed.
    claim: Option<oneshot::Sender<()>>,
    finish: oneshot::Sender<TicketOutcome>,
}

impl Previews {
    /// For a client that shows tabs.
    pub(crate) fn with_window(outbox: Outbox) -> Self {
        Self::waiting(outbox, Patience::default())
    }

    fn waiting(outbox: Outbox, patience: Patience) -> Self {
        Self {
            desk: Some(Arc::new(Desk {
                outbox,
                patience,
                lists: Lists::default(),
                open: Mutex::default(),
            })),
        }
    }

    /// The error that there is no window, where there is none.
    pub(crate) fn need_window(&self) -> ToolResult<()> {
        self.desk().map(|_| ())
    }

    /// The lists of tabs.
    pub(crate) fn lists(&self) -> ToolResult<&Lists> {
        self.desk().map(|desk| &desk.lists)
    }

    fn desk(&self) -> ToolResult<&Arc<Desk>> {
        self.desk.as_ref().ok_or_else(|| {
            ToolError::new(
                ToolErrorKind::Unsupported,
                "There is no window here, so there are no tabs and no pages. Go on without them.",
            )
        })
    }

    /// Hands a request to the window and waits for its outcome. A refusal is an error for the model; on
    /// cancel the ticket is dropped.
    pub(crate) async fn ask(
        &self,
        session: &SessionId,
        run: &RunId,
        request: PreviewRequest,
        cancel: &CancellationToken,
    ) -> ToolResult<TicketOutcome> {
        let desk = Arc::clone(self.desk()?);
        // A person who is asked may take their time.
        let asks_person = matches!(
            request,
            PreviewRequest::Act {
                action: TabAction::Close,
                ..
            }
        );
        let id = TicketId::new(Uuid::now_v7().simple().to_string());
        let (claim, claimed) = oneshot::channel();
        let (finish, finished) = oneshot::channel();
        desk.lock().insert(
            id.clone(),
            Open {
                session: session.clone(),
                claim: Some(claim),
                finish,
            },
        );
        let mut pending = Pending {
            desk: Arc::clone(&desk),
            id: id.clone(),
        };
        let ticket = Ticket {
            id: id.clone(),
            session: session.clone(),
            run: run.clone(),
            request,
        };
        desk.outbox.send(Update::Ticket { ticket }).await;
        let waited = async {
            if !matches!(
                tokio::time::timeout(desk.patience.claim, claimed).await,
                Ok(Ok(()))
            ) {
                // A claim that came at the same moment counts: it was said to be in time.
                if pending.take_unclaimed() {
                    return Err(not_taken_up());
                }
            }
            let outcome = if asks_person {
                finished.await.ok()
            } else {
                tokio::time::timeout(desk.patience.finish, finished)
                    .await
                    .ok()
                    .and_then(Result::ok)
            };
            outcome.ok_or_else(not_told)
        };
        let outcome = tokio::select! {
            biased;
            () = cancel.cancelled() => Err(ToolError::Cancelled),
            outcome = waited => outcome,
        };
        if pending.take() {
            // It is still open in the window's eyes.
            let update = Update::TicketDropped {
                session: session.clone(),
                ticket: id,
            };
            desk.outbox.send(update).await;
        }
        if matches!(outcome, Err(ToolError::Cancelled)) {
            desk.lists.forget(session);
        }
        match outcome? {
            TicketOutcome::Refused { refusal } => Err(refused(refusal)),
            outcome => Ok(outcome),
        }
    }

    /// A client takes a ticket up.
    pub(crate) fn claim(&self, session: &SessionId, ticket: &TicketId) -> Result<Answer, Failure> {
        let claimed = self.desk.as_ref().and_then(|desk| {
            let mut open = desk.lock();
            let found = open.get_mut(ticket)?;
            if found.session != *session {
                return None;
            }
            found.claim.take()?.send(()).ok()
        });
        claimed.map(|()| Answer::Ok).ok_or_else(not_open)
    }

    /// A client tells how a ticket went.
    pub(crate) fn finish(
        &self,
        session: &SessionId,
        ticket: &TicketId,
        outcome: TicketOutcome,
    ) -> Result<Answer, Failure> {
        let finished = self.desk.as_ref().and_then(|desk| {
            let mut open = desk.lock();
            let found = open.get(ticket)?;
            if found.session != *session || found.claim.is_some() {
                return None;
            }
            open.remove(ticket)?.finish.send(outcome).ok()
        });
        finished.map(|()| Answer::Ok).ok_or_else(not_open)
    }
}

impl Desk {
    fn lock(&self) -> MutexGuard<'_, HashMap<TicketId, Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A ticket that somebody waits for. Dropping it takes it out of the open ones.
struct Pending {
    desk: Arc<Desk>,
    id: TicketId,
}

impl Pending {
    /// Takes it out. Tells whether it was still open.
    fn take(&self) -> bool {
        self.desk.lock().remove(&self.id).is_some()
    }

    /// Takes it out unless it was claimed. Tells whether it did.
    fn take_unclaimed(&mut self) -> bool {
        let mut open = self.desk.lock();
        if open.get(&self.id).is_some_and(|open| open.claim.is_some()) {
            open.remove(&self.id);
            return true;
        }
        false
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.take();
    }
}

fn not_open() -> Failure {
    Failure::new(
        FailureKind::NotFound,
        "That ticket is not open: it was taken up already, came too late, or belongs elsewhere.",
    )
}

fn not_taken_up() -> ToolError {
    ToolError::failed(format!(
        "The window did not take this up within {} seconds. Nothing was done, and it will not be done later.",
        CLAIM_WITHIN.as_secs()
    ))
}

fn not_told() -> ToolError {
    ToolError::failed(
        "The window took this up and did not tell how it went, so that is not known. Don't repeat it: call \
         list_preview_tabs to see where things stand.",
    )
}

fn refused(refusal: Refusal) -> ToolError {
    let again = "Call list_preview_tabs again.";
    let (kind, words) = match refusal {
        Refusal::NoTab => (
            ToolErrorKind::NotFound,
            format!("That tab is closed. {again}"),
        ),
        Refusal::Changed => (
            ToolErrorKind::Conflict,
            format!("The tab shows something else than when it was listed. {again}"),
        ),
        Refusal::WrongKind => (
            ToolErrorKind::Unsupported,
            "That can't be done with a tab of this kind.".to_owned(),
        ),
        Refusal::NoHistory => (
            ToolErrorKind::NotFound,
            "The page's history has nothing that way.".to_owned(),
        ),
        Refusal::Busy => (
            ToolErrorKind::Conflict,
            "The tab is being edited, loaded or saved by the user. Leave it, or ask them."
                .to_owned(),
        ),
        Refusal::Timeout => (
            ToolErrorKind::Failed,
            "The page did not answer in time. It may be busy; don't try it at once again."
                .to_owned(),
        ),
        Refusal::Unavailable => (
            ToolErrorKind::Unsupported,
            "No page is alive in that tab: it failed to load, or pages can't be shown here."
                .to_owned(),
        ),
        Refusal::Left => (
            ToolErrorKind::Conflict,
            format!("The user went to another session meanwhile, so this was dropped. {again}"),
        ),
        Refusal::TooMany => (
            ToolErrorKind::TooLarge,
            "The session has as many tabs as it may have. Close one with preview_tab_action first."
                .to_owned(),
        ),
    };
    ToolError::new(kind, words)
}

#[cfg(test)]
mod tests;
