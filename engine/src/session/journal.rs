//! One session's pen: what it writes is kept in order, and shown only when it is kept.

use crate::models::HistoryItem;
use crate::protocol::{EventMsg, Failure, FailureKind, SessionId};

use crate::support::redact::Redactor;

use super::store::Store;

/// Writes for one session. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Journal {
    session: SessionId,
    store: Store,
    redactor: Redactor,
}

impl Journal {
    /// Writes from now on, in the store's present epoch.
    pub(crate) fn new(session: SessionId, store: Store, redactor: Redactor) -> Self {
        Self {
            session,
            store,
            redactor,
        }
    }

    /// The session it writes for.
    pub(crate) fn session(&self) -> &SessionId {
        &self.session
    }

    /// Keeps and shows an event.
    pub(crate) async fn event(&self, msg: EventMsg) -> Result<(), Failure> {
        self.store.event(&self.session, msg).await
    }

    /// Keeps an item of the model's history, privately, and gives it back as it is kept: without the keys
    /// that may have got into it. What goes to the model is that, so that it is the same after a restart.
    pub(crate) async fn item(&self, item: HistoryItem) -> Result<HistoryItem, Failure> {
        let unwritable = |error: serde_json::Error| {
            Failure::new(
                FailureKind::Internal,
                format!("An item of the history could not be written ({error})."),
            )
        };
        let mut body = serde_json::to_string(&item).map_err(unwritable)?;
        let mut kept = item;
        if self.redactor.finds_in(&body) {
            body = self.redactor.clean(body);
            kept = serde_json::from_str(&body).map_err(unwritable)?;
        }
        self.store.item(&self.session, body).await?;
        Ok(kept)
    }

    /// Waits until all of it is kept; with `sync` until it would outlive a power cut.
    pub(crate) async fn settle(&self, sync: bool) -> Result<(), Failure> {
        self.store.settle(sync).await
    }
}
