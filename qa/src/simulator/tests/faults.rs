//! Each fault, and the good reply after it.

use super::client::{Answer, Client, Conversation, scenario, serve, start};
use crate::{Delivery, Simulator};

/// A text that makes several events.
const TEXT: &str = "text = \"One two three four five six.\"\nstream = { piece = 5 }\n";

fn faulty(fault: &str) -> Simulator {
    serve(&format!("{TEXT}fault = {{ {fault} }}"))
}

fn ask(simulator: &Simulator) -> Answer {
    Client::new(simulator).post(&Conversation::new("[s]").body())
}

#[test]
fn a_fault_strikes_so_often_and_then_again_for_the_next_user() {
    let simulator = faulty("status = 429, times = 2, retry_after = 1");
    for round in 0..2 {
        let statuses: Vec<u16> = (0..3).map(|_| ask(&simulator).status).collect();
        assert_eq!(statuses, [429, 429, 200], "{round}");
    }
    let attempts: Vec<u32> = simulator.log().requests.iter().map(|r| r.attempt).collect();
    assert_eq!(attempts, [1, 2, 3, 1, 2, 3]);
    assert_eq!(simulator.log().violations, []);
}

#[test]
fn a_fault_can_strike_always() {
    let simulator = faulty("status = 500, times = \"always\"");
    for _ in 0..4 {
        assert_eq!(ask(&simulator).status, 500);
    }
}

#[test]
fn a_status_comes_with_its_body_and_headers() {
    let answer = ask(&faulty("status = 429, retry_after = 7"));
    assert!(
        answer.head.contains("retry-after: 7\r\n"),
        "{}",
        answer.head
    );
    assert_eq!(answer.error()["type"], "rate_limit_error");
    let answer = ask(&faulty("status = 200, body = \"<p>Hi</p>\", html = true"));
    assert_eq!((answer.status, answer.body().as_str()), (200, "<p>Hi</p>"));
    assert!(answer.head.contains("text/html"));
    for (status, kind) in [
        (401, "authentication_error"),
        (402, "insufficient_quota"),
        (400, "invalid_request_error"),
        (500, "server_error"),
        (503, "overloaded_error"),
    ] {
        let answer = ask(&faulty(&format!("status = {status}")));
        assert_eq!(
            (answer.status, &answer.error()["type"]),
            (status, &kind.into())
        );
    }
}

#[test]
fn the_connection_is_cut_after_so_many_events() {
    for events in [0, 1, 3] {
        let simulator = faulty(&format!("cut_events = {events}"));
        let answer = ask(&simulator);
        assert_eq!((answer.data().len(), answer.complete), (events, false));
        assert_eq!(simulator.log().requests[0].delivery, Delivery::Cut);
        assert!(ask(&simulator).complete);
    }
    let all = ask(&faulty("cut_events = 1000"));
    assert_eq!(all.data().last().unwrap(), "[DONE]");
    assert!(!all.complete);
}

#[test]
fn the_connection_is_cut_after_so_many_bytes() {
    for bytes in [0, 1, 100, 333] {
        let answer = ask(&faulty(&format!("cut_bytes = {bytes}")));
        assert_eq!(answer.chunks.concat().len(), bytes);
        assert!(!answer.complete);
    }
}

#[test]
fn a_malformed_event_stands_between_good_ones() {
    let answer = ask(&faulty("malformed_after = 2"));
    let good: Vec<bool> = answer
        .data()
        .iter()
        .map(|data| data == "[DONE]" || serde_json::from_str::<serde_json::Value>(data).is_ok())
        .collect();
    assert!(!good[2]);
    assert_eq!(good.iter().filter(|good| !**good).count(), 1);
}

#[test]
fn an_error_object_ends_the_stream() {
    let answer = ask(&faulty(
        "error_after = 1, error_type = \"overloaded_error\"",
    ));
    let data = answer.data();
    assert_eq!(data.len(), 2);
    assert!(data[1].contains("\"type\":\"overloaded_error\""));
    assert!(answer.complete);
}

#[test]
fn comments_go_on_until_the_client_leaves() {
    let simulator = faulty("comments_only = true");
    let mut client = Client::new(&simulator);
    let body = Conversation::new("[s]").body();
    client.send("POST", "/chat/completions", "", &body);
    // Four comments are enough to see that they go on.
    let text = client.read_until(4 * ": keep-alive\n\n".len());
    assert!(text.contains(": keep-alive\n\n"));
    assert!(!text.contains("data:"));
    drop(client);
    let begin = std::time::Instant::now();
    while simulator.log().requests[0].delivery == Delivery::Open {
        assert!(begin.elapsed() < super::client::DEADLINE);
        std::thread::yield_now();
    }
}

#[test]
fn the_end_of_a_stream_can_be_missing() {
    let answer = ask(&faulty("no_done = true"));
    assert_eq!(answer.finish().as_deref(), Some("stop"));
    assert!(!answer.body().contains("[DONE]"));
    let answer = ask(&faulty("no_finish = true"));
    assert_eq!(answer.finish(), None);
    assert!(answer.body().contains("[DONE]"));
    let answer = ask(&faulty("no_finish = true, no_done = true"));
    assert_eq!(answer.message()["content"], "One two three four five six.");
}

#[test]
fn a_reply_can_be_empty() {
    let simulator = faulty("empty = true");
    let answer = ask(&simulator);
    assert_eq!(answer.message()["content"], "");
    assert_eq!(answer.finish().as_deref(), Some("stop"));
    assert_ne!(ask(&simulator).message()["content"], "");
}

#[test]
fn a_finish_reason_can_be_any() {
    let answer = ask(&serve("text = \"a\"\nfinish = \"content_filter\""));
    assert_eq!(answer.finish().as_deref(), Some("content_filter"));
}

#[test]
fn a_key_can_be_required_and_is_quoted_when_it_is_wrong() {
    let simulator = start(vec![scenario(
        "s",
        "require_key = \"right\"",
        "[[turns]]\ntext = \"a\"",
    )]);
    let body = Conversation::new("[s]").body();
    let ask = |head: &str| {
        let mut client = Client::new(&simulator);
        client.send("POST", "/v1/chat/completions", head, &body);
        client.answer()
    };
    for head in [
        "",
        "Authorization: Bearer wrong\r\n",
        "Authorization: right\r\n",
    ] {
        let answer = ask(head);
        assert_eq!(answer.status, 401, "{head}");
        assert_eq!(answer.error()["type"], "authentication_error");
    }
    assert!(
        ask("Authorization: Bearer wrong\r\n")
            .body()
            .contains("wrong")
    );
    assert_eq!(ask("Authorization: Bearer right\r\n").status, 200);
    assert_eq!(simulator.log().violations, []);
}
