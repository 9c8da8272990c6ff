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
    let late = tokio::spawn(async move {
        for frame in [content("t").as_str(), STOP, "[DONE]"] {
            assert!(sender.send(data(frame)).await.is_ok());
        }
        // Once all has been taken, the end.
        drop(sender.reserve_many(sender.max_capacity()).await);
    });
    let mut before = String::new();
    for round in 0..19 {
        let events = all(ask_with(&client, &conversation)).await;
        conversation.push(&HistoryItem::Assistant(reply(&events).turn.clone()));
        conversation.push(&HistoryItem::User {
            text: "more".into(),
        });
        let now = server.seen(server.requests() - 1, |seen| seen.bytes.clone());
        assert!(now.starts_with(before.as_bytes()), "round {round}");
        let now = String::from_utf8(now.to_vec()).unwrap();
        before = now.rsplit_once("],\"model\":").unwrap().0.to_owned();
    }
    late.await.unwrap();
    assert_eq!(server.requests(), 20);
    assert_eq!(server.connections(), 1);
}
