//! A model request under way.
//!
//! There is no task: whoever asks for the next event drives the request, so that dropping the stream ends
//! it at once and a slow reader slows the sender down. The connection itself is driven by the HTTP
//! client, so bytes keep coming in while nobody asks, up to its own small buffer.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::sync::mpsc::{self, Receiver};
use tokio_util::sync::CancellationToken;

use super::client::Inner;
use super::driver;
use super::event::ModelEvent;
use super::request::Request;

/// How many events wait for a reader at the most.
const QUEUE: usize = 64;

/// The events of one request.
pub(crate) struct ModelStream {
    /// Gone once it has ended.
    driver: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    events: Receiver<ModelEvent>,
    cancel: CancellationToken,
}

impl ModelStream {
    pub(super) fn new(client: Arc<Inner>, request: Request, cancel: CancellationToken) -> Self {
        let (sender, events) = mpsc::channel(QUEUE);
        let token = cancel.clone();
        let driver = async move {
            tokio::select! {
                biased;
                () = token.cancelled() => {}
                () = driver::drive(&client, request, sender) => {}
            }
        };
        Self {
            driver: Some(Box::pin(driver)),
            events,
            cancel,
        }
    }

    /// The next event; `None` after the last one and after a cancel. May be dropped while it waits and
    /// called again without loss.
    pub(crate) async fn next(&mut self) -> Option<ModelEvent> {
        std::future::poll_fn(|context| self.poll_next(context)).await
    }

    fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<ModelEvent>> {
        if self.cancel.is_cancelled() {
            self.driver = None;
            return Poll::Ready(None);
        }
        if let Ok(event) = self.events.try_recv() {
            return Poll::Ready(Some(event));
        }
        let Some(driver) = &mut self.driver else {
            return Poll::Ready(None);
        };
        let ended = driver.as_mut().poll(context).is_ready();
        if ended {
            self.driver = None;
        }
        if self.cancel.is_cancelled() {
            return Poll::Ready(None);
        }
        match self.events.try_recv() {
            Ok(event) => Poll::Ready(Some(event)),
            Err(_) if ended => Poll::Ready(None),
            Err(_) => Poll::Pending,
        }
    }
}

impl std::fmt::Debug for ModelStream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ModelStream")
            .field("ended", &self.driver.is_none())
            .finish_non_exhaustive()
    }
}
