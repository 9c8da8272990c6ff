//! All sessions of an engine: the way to each one's actor.

use std::collections::HashMap;
use std::sync::Arc;

use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::protocol::{Failure, FailureKind, SessionId, SubmissionId};

use super::actor::{Actor, SessionOp};
use super::shared::Shared;

/// Requests that may wait for one session.
const INBOX: usize = 32;

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
