//! A window for unit tests: it hears of tickets and answers them.

use tokio::sync::mpsc;

use crate::files::testing::Yard;
use crate::handle::Outbox;
use crate::preview::Previews;
use crate::protocol::{PreviewRequest, TabId, TabInfo, TabKind, Ticket, TicketOutcome, Update};

/// The client's end.
pub(crate) struct Window {
    pub(crate) previews: Previews,
    pub(crate) outbox: Outbox,
    updates: mpsc::Receiver<Update>,
}

/// Previews with a client that listens.
pub(crate) fn window() -> Window {
    let (outbox, updates) = Outbox::new(std::sync::Arc::new(|| {}));
    Window {
        previews: Previews::with_window(outbox.clone()),
        outbox,
        updates,
    }
}

/// A yard whose context has a window.
pub(crate) fn at_window() -> (Yard, Window) {
    let mut yard = Yard::new();
    let window = window();
    yard.context.previews = window.previews.clone();
    (yard, window)
}

impl Window {
    /// The next update.
    pub(crate) async fn update(&mut self) -> Update {
        self.updates.recv().await.unwrap()
    }

    /// The next ticket.
    pub(crate) async fn ticket(&mut self) -> Ticket {
        match self.update().await {
            Update::Ticket { ticket } => ticket,
            other => panic!("no ticket: {other:?}"),
        }
    }

    /// Takes the next ticket up and answers it so. Gives what it asked for.
    pub(crate) async fn answer(&mut self, outcome: TicketOutcome) -> PreviewRequest {
        let ticket = self.ticket().await;
        self.previews.claim(&ticket.session, &ticket.id).unwrap();
        self.previews
            .finish(&ticket.session, &ticket.id, outcome)
            .unwrap();
        ticket.request
    }
}

/// A call and the window's part in it, at the same time.
pub(crate) async fn told<C: Future, W: Future>(call: C, window: W) -> (C::Output, W::Output) {
    tokio::join!(call, window)
}

/// A tab named as its title.
pub(crate) fn tab(name: &str, kind: TabKind, version: u64) -> TabInfo {
    TabInfo {
        tab: TabId::new(name),
        kind,
        title: name.to_owned(),
        active: false,
        url: None,
        path: None,
        failure: None,
        version,
    }
}
