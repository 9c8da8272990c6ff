//! One session's pen: what it writes is kept in order, and shown only when it is kept.

use crate::models::HistoryItem;
use crate::protocol::{EventMsg, Failure, FailureKind, SessionId};

use super::store::Store;

/// Writes for one session. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Journal {
    session: SessionId,
    store: Store,
}

impl Journal {
    pub(crate) fn new(session: SessionId, store: Store) -> Self {
        Self { session, store }
    }

    /// Keeps and shows an event.
    pub(crate) async fn event(&self, msg: EventMsg) -> Result<(), Failure> {
        self.store.event(&self.session, msg).await
    }

    /// Keeps an item of the model's history, privately.
    pub(crate) async fn item(&self, item: &HistoryItem) -> Result<(), Failure> {
        let body = serde_json::to_string(item).map_err(|error| {
            Failure::new(
                FailureKind::Internal,
                format!("An item of the history could not be written ({error})."),
            )
        })?;
        self.store.item(&self.session, body).await
    }

    /// Waits until all of it is kept; with `sync` until it would outlive a power cut.
    pub(crate) async fn settle(&self, sync: bool) -> Result<(), Failure> {
        self.store.settle(sync).await
    }
}
