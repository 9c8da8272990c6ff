//! Silence: signs of waiting, and the limit.

use std::time::Duration;

use crate::protocol::FailureKind;

use crate::support::clock::Stopwatch;
use crate::support::redact::Redactor;

use super::super::*;
use super::server::*;

/// Short, so that tests are; an answer that takes longer on a busy machine only brings more signs.
const TICK: Duration = Duration::from_millis(60);
/// Far above what a loopback answer takes, far below the deadline of a test.
const IDLE: Duration = Duration::from_secs(1);

/// The next event that is no sign of waiting.
async fn next_but_signs(stream: &mut ModelStream) -> Option<ModelEvent> {
    loop {
        match next(stream).await {
            Some(ModelEvent::StillWaiting { .. }) => {}
            other => return other,
        }
    }
}

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
    let mut stream = ask(&client(&server, IDLE));
    let watch = Stopwatch::start();
    let mut expected = String::new();
    while watch.elapsed() <= IDLE {
        assert!(sender.send(data(&content("t"))).await.is_ok());
        let text = next_but_signs(&mut stream).await;
        assert_eq!(text, Some(ModelEvent::Text("t".into())));
        expected.push('t');
        assert!(matches!(
            next(&mut stream).await,
            Some(ModelEvent::StillWaiting { .. })
        ));
    }
    let rest = all(stream).await;
    let (failure, text) = failed(&rest);
    assert_eq!((failure.kind, text), (FailureKind::Idle, expected.as_str()));
}

#[tokio::test]
async fn after_the_reason_of_the_end_nothing_is_waited_for_long() {
    let (sender, answer) = paced();
    let server = Server::start([answer]).await;
    let stream = ask(&client(&server, IDLE));
    for frame in [&content("t"), STOP] {
        assert!(sender.send(data(frame)).await.is_ok());
    }
    assert_eq!(reply(&all(stream).await).finish, Finish::Stop);
}

#[tokio::test]
async fn what_says_nothing_after_the_reason_of_the_end_keeps_no_reply_open() {
    // Now and then, and in a flood.
    for pace in [IDLE / 4, Duration::from_micros(50)] {
        let (sender, answer) = paced();
        let server = Server::start([answer]).await;
        let stream = ask(&client(&server, IDLE));
        let junk = tokio::spawn(async move {
            for frame in [&content("t"), STOP] {
                assert!(sender.send(data(frame)).await.is_ok());
            }
            let mut ticks = tokio::time::interval(pace);
            loop {
                ticks.tick().await;
                if sender.send(data(r#"{"choices":[]}"#)).await.is_err() {
                    break;
                }
            }
        });
        assert_eq!(reply(&all(stream).await).finish, Finish::Stop);
        let closed = tokio::time::timeout(DEADLINE, junk).await;
        closed.expect("the request goes on").unwrap();
    }
}

#[tokio::test]
async fn long_thinking_gives_a_sign_now_and_then() {
    let (sender, answer) = paced();
    let server = Server::start([answer]).await;
    let mut stream = ask(&client(&server, DEADLINE));
    let thought = r#"{"choices":[{"delta":{"reasoning_content":"r"}}]}"#;
    assert!(sender.send(data(thought)).await.is_ok());
    let sign = Some(ModelEvent::ReasoningActive);
    assert_eq!(next_but_signs(&mut stream).await, sign);
    // After a tick of silence the next thought is told again.
    assert!(matches!(
        next(&mut stream).await,
        Some(ModelEvent::StillWaiting { .. })
    ));
    assert!(sender.send(data(thought)).await.is_ok());
    assert_eq!(next_but_signs(&mut stream).await, sign);
}
