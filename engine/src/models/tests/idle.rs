//! Silence: signs of waiting, and the limit.

use std::time::Duration;

use crate::protocol::FailureKind;

use crate::support::redact::Redactor;

use super::super::*;
use super::server::*;

/// Far above what a loopback answer takes, far below the deadline of a test.
const TICK: Duration = Duration::from_millis(60);

fn client(server: &Server, idle: Duration) -> ModelClient {
    let mut settings = server.settings();
    settings.idle = idle;
    ModelClient::new(settings, Redactor::default())
        .unwrap()
        .with_tick(TICK)
}

#[tokio::test]
async fn keep_alive_comments_are_no_life() {
    let (sender, answer) = paced();
    let server = Server::start([answer, says("never asked for")]).await;
    let mut stream = ask(&client(&server, TICK * 5 / 2));
    let mut signs = 0;
    let failure = loop {
        // One comment at the start and one after each sign.
        let comment = Piece::Bytes(b": keep alive\n\n".to_vec());
        assert!(sender.send(comment).await.is_ok());
        match next(&mut stream).await.unwrap() {
            ModelEvent::StillWaiting { .. } => signs += 1,
            ModelEvent::Failed { failure, text } => {
                assert_eq!(text, "");
                break failure;
            }
            other => panic!("{other:?}"),
        }
    };
    assert_eq!((signs, failure.kind), (2, FailureKind::Idle));
    assert_eq!(server.requests(), 1);
    let closed = tokio::time::timeout(DEADLINE, sender.closed()).await;
    closed.expect("the request goes on");
}

#[tokio::test]
async fn a_server_that_never_answers_is_silent_too() {
    let server = Server::start([Answer::Never]).await;
    let events = all(ask(&client(&server, TICK / 2))).await;
    assert_eq!(failed(&events).0.kind, FailureKind::Idle);
    assert_eq!(events.len(), 1);
}

#[tokio::test]
async fn output_starts_the_time_anew_and_silence_after_it_keeps_the_text() {
    let (sender, answer) = paced();
    let server = Server::start([answer]).await;
    let mut stream = ask(&client(&server, TICK * 3 / 2));
    for _ in 0..3 {
        sender
            .send(data(&content("t")))
            .await
            .unwrap_or_else(|_| panic!("closed"));
        assert_eq!(next(&mut stream).await, Some(ModelEvent::Text("t".into())));
        assert!(matches!(
            next(&mut stream).await,
            Some(ModelEvent::StillWaiting { .. })
        ));
    }
    let Some(ModelEvent::Failed { failure, text }) = next(&mut stream).await else {
        panic!("no failure")
    };
    assert_eq!((failure.kind, text.as_str()), (FailureKind::Idle, "ttt"));
    assert_eq!(next(&mut stream).await, None);
}
