//! Silence: signs of waiting, and the limit.

use std::time::Duration;

use crate::protocol::FailureKind;

use crate::support::clock::Stopwatch;
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
    let mut stream = ask(&client(&server, TICK * 6));
    let watch = Stopwatch::start();
    for _ in 0..8 {
        assert!(sender.send(data(&content("t"))).await.is_ok());
        assert_eq!(next(&mut stream).await, Some(ModelEvent::Text("t".into())));
        assert!(matches!(
            next(&mut stream).await,
            Some(ModelEvent::StillWaiting { .. })
        ));
    }
    // By now the limit has passed, counted from the start.
    assert!(watch.elapsed() > TICK * 6);
    let rest = all(stream).await;
    let (failure, text) = failed(&rest);
    assert_eq!((failure.kind, text), (FailureKind::Idle, "tttttttt"));
}

#[tokio::test]
async fn after_the_reason_of_the_end_nothing_is_waited_for_long() {
    let (sender, answer) = paced();
    let server = Server::start([answer]).await;
    let stream = ask(&client(&server, TICK));
    for frame in [&content("t"), STOP] {
        assert!(sender.send(data(frame)).await.is_ok());
    }
    assert_eq!(reply(&all(stream).await).finish, Finish::Stop);
}

#[tokio::test]
async fn long_thinking_gives_a_sign_now_and_then() {
    let (sender, answer) = paced();
    let server = Server::start([answer]).await;
    let mut stream = ask(&client(&server, DEADLINE));
    let thought = r#"{"choices":[{"delta":{"reasoning_content":"r"}}]}"#;
    assert!(sender.send(data(thought)).await.is_ok());
    assert_eq!(next(&mut stream).await, Some(ModelEvent::ReasoningActive));
    // After a tick of silence the next thought is told again.
    assert!(matches!(
        next(&mut stream).await,
        Some(ModelEvent::StillWaiting { .. })
    ));
    assert!(sender.send(data(thought)).await.is_ok());
    loop {
        match next(&mut stream).await {
            Some(ModelEvent::StillWaiting { .. }) => {}
            other => break assert_eq!(other, Some(ModelEvent::ReasoningActive)),
        }
    }
}
