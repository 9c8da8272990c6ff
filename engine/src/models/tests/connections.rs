//! One connection serves many requests.

use super::super::*;
use super::server::*;

#[tokio::test]
async fn twenty_requests_use_one_connection() {
    let mut answers: Vec<_> = (0..18).map(|_| says("t")).collect();
    // Errors are read to their end too, so that a retry finds the connection.
    answers.insert(9, whole(500, "broken"));
    // Here the end of the body comes apart from its last event.
    let (sender, late) = paced();
    answers.insert(5, late);
    let server = Server::start(answers).await;
    let client = server.client();
    let mut conversation = question(&client);
    let mut before = bytes::Bytes::new();
    for round in 0..19 {
        let mut stream = ask_with(&client, &conversation);
        if round == 5 {
            for frame in [content("t").as_str(), STOP, "[DONE]"] {
                assert!(sender.send(data(frame)).await.is_ok());
            }
        }
        let mut events = Vec::new();
        while let Some(event) = next(&mut stream).await {
            events.push(event);
            if round == 5 && sender.capacity() == sender.max_capacity() {
                // All was taken; only the end is missing. It comes now.
                break;
            }
        }
        if round == 5 {
            sender_end(&sender);
        }
        while let Some(event) = next(&mut stream).await {
            events.push(event);
        }
        conversation.push(&HistoryItem::Assistant(reply(&events).turn.clone()));
        conversation.push(&HistoryItem::User { text: "more".into() });
        let now = server.seen(server.requests() - 1, |seen| seen.bytes.clone());
        let messages = |body: &[u8]| {
            let text = String::from_utf8_lossy(body).into_owned();
            text.rsplit_once("],\"model\":").map(|(head, _)| head.to_owned()).unwrap_or_default()
        };
        assert!(now.starts_with(messages(&before).as_bytes()), "round {round}");
        before = now;
    }
    assert_eq!(server.requests(), 20);
    assert_eq!(server.connections(), 1);
}

fn sender_end(_: &tokio::sync::mpsc::Sender<Piece>) {}
