//! A cancel ends a request at once, whatever it is doing.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::support::clock::Stopwatch;

use crate::support::redact::Redactor;

use super::super::*;
use super::server::*;

/// A cancel is done within this time: issue 2.
const AT_ONCE: Duration = Duration::from_millis(200);

fn start(client: &ModelClient, cancel: &CancellationToken) -> ModelStream {
    client.start(&question(client), &client.encode_tools(&[]), cancel)
}

/// Cancels while the stream is being asked for an event, and expects its end.
async fn cancelled(mut stream: ModelStream, cancel: &CancellationToken) {
    let waiting = tokio::spawn(async move { (next(&mut stream).await, next(&mut stream).await) });
    tokio::task::yield_now().await;
    let watch = Stopwatch::start();
    cancel.cancel();
    assert_eq!(waiting.await.unwrap(), (None, None));
    assert!(watch.elapsed() < AT_ONCE, "{:?}", watch.elapsed());
}

#[tokio::test]
async fn before_it_is_sent() {
    let server = Server::start([says("never asked for")]).await;
    let cancel = CancellationToken::new();
    cancel.cancel();
    assert_eq!(next(&mut start(&server.client(), &cancel)).await, None);
    assert_eq!(server.requests(), 0);
}

#[tokio::test]
async fn while_the_answer_is_awaited() {
    let mut server = Server::start([Answer::Never]).await;
    let cancel = CancellationToken::new();
    let mut stream = start(&server.client(), &cancel);
    tokio::select! {
        event = stream.next() => panic!("{event:?}"),
        arrived = server.arrivals.recv() => assert!(arrived.is_some()),
    }
    cancelled(stream, &cancel).await;
}

#[tokio::test]
async fn between_two_pieces_and_the_connection_is_closed() {
    let (sender, answer) = paced();
    let server = Server::start([answer]).await;
    let cancel = CancellationToken::new();
    let mut stream = start(&server.client(), &cancel);
    assert!(sender.send(data(&content("t"))).await.is_ok());
    assert_eq!(next(&mut stream).await, Some(ModelEvent::Text("t".into())));
    cancelled(stream, &cancel).await;
    tokio::time::timeout(DEADLINE, sender.closed())
        .await
        .expect("still connected");
}

#[tokio::test]
async fn with_events_still_waiting() {
    let server = Server::start([says("t")]).await;
    let cancel = CancellationToken::new();
    let mut stream = start(&server.client(), &cancel);
    assert!(matches!(next(&mut stream).await, Some(ModelEvent::Text(_))));
    cancel.cancel();
    assert_eq!(next(&mut stream).await, None);
}

#[tokio::test]
async fn during_the_wait_before_a_retry() {
    let server = Server::start([whole(500, ""), says("never asked for")]).await;
    let mut settings = server.settings();
    settings.retry.base = DEADLINE;
    let client = ModelClient::new(settings, Redactor::default()).unwrap();
    let cancel = CancellationToken::new();
    let mut stream = start(&client, &cancel);
    assert!(matches!(
        next(&mut stream).await,
        Some(ModelEvent::Retry { .. })
    ));
    cancelled(stream, &cancel).await;
    assert_eq!(server.requests(), 1);
}

#[tokio::test]
async fn dropping_the_stream_closes_the_connection() {
    let (sender, answer) = paced();
    let server = Server::start([answer]).await;
    let mut stream = ask(&server.client());
    assert!(sender.send(data(&content("t"))).await.is_ok());
    assert_eq!(next(&mut stream).await, Some(ModelEvent::Text("t".into())));
    drop(stream);
    tokio::time::timeout(DEADLINE, sender.closed())
        .await
        .expect("still connected");
}
