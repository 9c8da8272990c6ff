//! Each way a ticket can end, and each way it must not.

use std::time::Duration;

use super::*;
use crate::preview::testing::{Window, tab, window};
use crate::protocol::TabId;
use crate::protocol::TabKind::Web;

fn session() -> SessionId {
    SessionId::new("s")
}

fn ask(
    window: &Window,
    request: PreviewRequest,
    cancel: &CancellationToken,
) -> tokio::task::JoinHandle<ToolResult<TicketOutcome>> {
    let (previews, cancel) = (window.previews.clone(), cancel.clone());
    tokio::spawn(async move {
        previews
            .ask(&session(), &RunId::new("r"), request, &cancel)
            .await
    })
}

#[tokio::test]
async fn a_ticket_is_claimed_once_and_answered_once() {
    let mut window = window();
    let call = ask(&window, PreviewRequest::List, &CancellationToken::new());
    let ticket = window.ticket().await;
    let previews = window.previews.clone();
    let done = || TicketOutcome::Tabs { tabs: Vec::new() };
    assert!(
        previews.finish(&session(), &ticket.id, done()).is_err(),
        "it was not claimed"
    );
    assert!(previews.claim(&session(), &ticket.id).is_ok());
    assert!(previews.claim(&session(), &ticket.id).is_err(), "twice");
    assert!(previews.finish(&session(), &ticket.id, done()).is_ok());
    assert!(
        previews.finish(&session(), &ticket.id, done()).is_err(),
        "twice"
    );
    assert_eq!(call.await.unwrap().unwrap(), done());
}

#[tokio::test]
async fn a_foreign_session_neither_claims_nor_spoils_a_ticket() {
    let mut window = window();
    let call = ask(&window, PreviewRequest::List, &CancellationToken::new());
    let ticket = window.ticket().await;
    let (previews, foreign) = (window.previews.clone(), SessionId::new("other"));
    assert!(previews.claim(&foreign, &ticket.id).is_err());
    assert!(
        previews
            .claim(&session(), &TicketId::new("made up"))
            .is_err()
    );
    assert!(previews.claim(&session(), &ticket.id).is_ok());
    let done = TicketOutcome::Accepted;
    assert!(previews.finish(&foreign, &ticket.id, done.clone()).is_err());
    assert!(previews.finish(&session(), &ticket.id, done).is_ok());
    assert!(call.await.unwrap().is_ok());
}

/// A window on which nothing is waited for longer than it takes.
fn hasty() -> Window {
    hurried(Patience {
        claim: Duration::ZERO,
        finish: Duration::ZERO,
    })
}

fn hurried(patience: Patience) -> Window {
    let mut window = window();
    window.previews = Previews::waiting(window.outbox.clone(), patience);
    window
}

#[tokio::test]
async fn a_late_claim_is_refused() {
    let mut window = hasty();
    let call = ask(&window, PreviewRequest::List, &CancellationToken::new());
    let ticket = window.ticket().await;
    let message = crate::files::testing::message(call.await.unwrap());
    assert!(message.contains("within 10 seconds"), "{message}");
    assert!(window.previews.claim(&session(), &ticket.id).is_err());
}

#[tokio::test]
async fn a_window_that_never_tells_leaves_the_outcome_unknown() {
    let mut window = hurried(Patience {
        finish: Duration::ZERO,
        ..Patience::default()
    });
    let call = ask(&window, PreviewRequest::List, &CancellationToken::new());
    let ticket = window.ticket().await;
    window.previews.claim(&session(), &ticket.id).unwrap();
    let message = crate::files::testing::message(call.await.unwrap());
    assert!(message.contains("not known"), "{message}");
    assert!(matches!(
        window.update().await,
        Update::TicketDropped { .. }
    ));
    let late = (window.previews).finish(&session(), &ticket.id, TicketOutcome::Accepted);
    assert!(late.is_err());
}

#[tokio::test]
async fn a_person_who_is_asked_may_take_their_time() {
    let mut window = hurried(Patience {
        finish: Duration::ZERO,
        ..Patience::default()
    });
    let close = PreviewRequest::Act {
        tab: TabId::new("t"),
        version: 1,
        action: TabAction::Close,
    };
    let call = ask(&window, close, &CancellationToken::new());
    let ticket = window.ticket().await;
    window.previews.claim(&session(), &ticket.id).unwrap();
    // Another ticket has run out of patience by now; this one has not.
    let other = ask(&window, PreviewRequest::List, &CancellationToken::new());
    let id = window.ticket().await.id;
    window.previews.claim(&session(), &id).unwrap();
    assert!(other.await.unwrap().is_err());
    let kept = window
        .previews
        .finish(&session(), &ticket.id, TicketOutcome::Kept);
    assert!(kept.is_ok());
    assert_eq!(call.await.unwrap().unwrap(), TicketOutcome::Kept);
}

#[tokio::test]
async fn cancelling_drops_the_ticket_and_the_list() {
    let mut window = window();
    let lists = window.previews.clone();
    lists.lists().unwrap().keep(&session(), &[tab("a", Web, 1)]);
    let cancel = CancellationToken::new();
    let call = ask(&window, PreviewRequest::List, &cancel);
    let ticket = window.ticket().await;
    window.previews.claim(&session(), &ticket.id).unwrap();
    cancel.cancel();
    assert!(matches!(call.await.unwrap(), Err(ToolError::Cancelled)));
    match window.update().await {
        Update::TicketDropped {
            ticket: dropped, ..
        } => assert_eq!(dropped, ticket.id),
        other => panic!("not dropped: {other:?}"),
    }
    assert!(lists.lists().unwrap().find(&session(), "a").is_err());
    let late = (window.previews).finish(&session(), &ticket.id, TicketOutcome::Accepted);
    assert!(late.is_err());
}
