//! Which errors are tried again, which are final, and what a person reads.

use std::time::Duration;

use crate::protocol::FailureKind;

use crate::support::redact::Redactor;

use super::super::wording::Wording;
use super::super::*;
use super::server::*;

#[tokio::test]
async fn final_errors_are_asked_once_and_name_host_status_and_words() {
    for (status, body, kind) in [
        (
            400,
            r#"{"error":{"message":"bad thing"}}"#,
            FailureKind::BadRequest,
        ),
        (
            401,
            r#"{"error":{"message":"bad thing"}}"#,
            FailureKind::Authentication,
        ),
        (
            402,
            r#"{"error":{"message":"bad thing"}}"#,
            FailureKind::Quota,
        ),
        (
            403,
            r#"{"error":{"message":"bad thing"}}"#,
            FailureKind::Authentication,
        ),
        (
            404,
            r#"{"error":{"message":"bad thing"}}"#,
            FailureKind::ModelNotFound,
        ),
        (413, "bad thing", FailureKind::BadRequest),
        (422, r#"{"detail":"bad thing"}"#, FailureKind::BadRequest),
        (
            429,
            r#"{"error":{"code":"insufficient_quota","message":"bad thing"}}"#,
            FailureKind::Quota,
        ),
        (
            400,
            r#"{"error":{"code":"context_length_exceeded","message":"bad thing"}}"#,
            FailureKind::ContextLength,
        ),
    ] {
        let server = Server::start([whole(status, body), says("never asked for")]).await;
        let events = all(ask(&server.client())).await;
        let (failure, _) = failed(&events);
        assert_eq!(failure.kind, kind, "{status}");
        assert_eq!((server.requests(), events.len()), (1, 1), "{status}");
        for part in ["bad thing", &status.to_string()] {
            assert!(failure.message.contains(part), "{failure}");
        }
        if kind != FailureKind::ContextLength {
            assert!(failure.message.contains("127.0.0.1:"), "{failure}");
        }
    }
}

#[tokio::test]
async fn a_key_in_the_servers_words_is_blanked() {
    let events = events([whole(
        401,
        r#"{"error":{"message":"no key sk-secret\u0007 here"}}"#,
    )])
    .await;
    let (failure, _) = failed(&events);
    assert!(failure.message.contains("no key [key] here"), "{failure}");
}

#[tokio::test]
async fn passing_errors_are_tried_again_until_the_tries_are_spent() {
    for status in [408, 409, 425, 429, 500, 503] {
        let events = events([whole(status, ""), says("t")]).await;
        assert_eq!(
            (retries(&events), reply(&events).turn.text.as_str()),
            (1, "t"),
            "{status}"
        );
    }
    let server = Server::start((0..9).map(|_| whole(500, "broken"))).await;
    let events = all(ask(&server.client())).await;
    let attempts: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            ModelEvent::Retry {
                attempt, failure, ..
            } => Some((*attempt, failure.kind)),
            _ => None,
        })
        .collect();
    assert_eq!(
        attempts,
        [2, 3, 4, 5].map(|attempt| (attempt, FailureKind::Overload))
    );
    let (failure, _) = failed(&events);
    assert!(
        failure.message.contains("broken") && failure.message.contains("Tried 5 times"),
        "{failure}"
    );
    assert_eq!(server.requests(), 5);
}

#[tokio::test]
async fn retry_after_is_waited_for_and_a_longer_one_ends_it() {
    let limited = |seconds: &str| {
        Answer::Whole(
            429,
            vec![("retry-after", seconds.to_owned())],
            String::new(),
        )
    };
    let server = Server::start([limited("0.02"), says("t")]).await;
    let events = all(ask(&server.client())).await;
    let ModelEvent::Retry {
        attempt: 2,
        wait,
        failure,
    } = &events[0]
    else {
        panic!("{events:?}")
    };
    assert_eq!(*wait, Duration::from_millis(20));
    assert_eq!(
        (failure.kind, failure.retry_after_seconds),
        (FailureKind::RateLimit, Some(1))
    );
    assert_eq!(reply(&events).turn.text, "t");

    let server = Server::start([limited("61"), says("never asked for")]).await;
    let events = all(ask(&server.client())).await;
    let (failure, _) = failed(&events);
    assert_eq!(
        (failure.kind, failure.retry_after_seconds),
        (FailureKind::RateLimit, Some(61))
    );
    assert!(failure.advice.contains("61 seconds"), "{failure}");
    assert_eq!((events.len(), server.requests()), (1, 1));

    // A date long after now.
    let server = Server::start([limited("Fri, 31 Dec 2100 23:59:59 GMT")]).await;
    let events = all(ask(&server.client())).await;
    assert!(failed(&events).0.retry_after_seconds > Some(60));
}

#[tokio::test]
async fn an_error_in_the_stream_has_its_class() {
    let error = |kind: &str| format!(r#"{{"error":{{"type":"{kind}","message":"m"}}}}"#);
    for kind in ["overloaded_error", "rate_limit_error"] {
        let events = events([good(&[&error(kind)]), says("t")]).await;
        assert_eq!(
            (retries(&events), reply(&events).turn.text.as_str()),
            (1, "t")
        );
    }
    let events_after = events([good(&[&content("half"), &error("overloaded_error")])]).await;
    let (failure, text) = failed(&events_after);
    assert_eq!(
        (failure.kind, text, retries(&events_after)),
        (FailureKind::Overload, "half", 0)
    );
    let events = events([good(&[&error("invalid_request_error")])]).await;
    assert_eq!(
        (failed(&events).0.kind, retries(&events)),
        (FailureKind::BadRequest, 0)
    );
}

#[tokio::test]
async fn a_stream_cut_before_its_first_token_is_tried_again() {
    for broken in [
        pieces(vec![Piece::Cut]),
        pieces(vec![Piece::Bytes(b": keep alive\n\n".to_vec()), Piece::Cut]),
        pieces(vec![data(
            r#"{"choices":[{"delta":{"role":"assistant","content":""}}]}"#,
        )]),
        pieces(vec![data("{\"choices\":")]),
        pieces(vec![Piece::Bytes(b"data: \xff\n\n".to_vec())]),
        whole(200, ""),
        whole(200, "{\"choices\":"),
    ] {
        let events = events([broken, says("t")]).await;
        assert_eq!(
            (retries(&events), reply(&events).turn.text.as_str()),
            (1, "t")
        );
        let ModelEvent::Retry { failure, .. } = &events[0] else {
            panic!("{events:?}")
        };
        assert_eq!(failure.kind, FailureKind::BrokenStream);
    }
}

#[tokio::test]
async fn a_stream_cut_after_its_first_token_fails_with_what_was_shown() {
    for (last, kind) in [
        (Some(Piece::Cut), FailureKind::BrokenStream),
        (None, FailureKind::BrokenStream),
        (Some(data("{\"choices\":")), FailureKind::BrokenStream),
        (
            Some(Piece::Bytes(b"data: \xff\n\n".to_vec())),
            FailureKind::BrokenStream,
        ),
    ] {
        let mut all = vec![data(&content("half"))];
        all.extend(last);
        let events = events([pieces(all), says("never asked for")]).await;
        let (failure, text) = failed(&events);
        assert_eq!((failure.kind, text, retries(&events)), (kind, "half", 0));
        assert_eq!(events[0], ModelEvent::Text("half".into()));
    }
    let reasoning = data(r#"{"choices":[{"delta":{"reasoning_content":"r"}}]}"#);
    let events = events([pieces(vec![reasoning, Piece::Cut]), says("never asked for")]).await;
    assert_eq!(
        (failed(&events).0.kind, retries(&events)),
        (FailureKind::BrokenStream, 0)
    );
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let other = Server::start([says("stolen")]).await;
    for status in [301, 302, 303, 307, 308] {
        let to = vec![("location", other.base_url.clone())];
        let events = events([Answer::Whole(status, to, String::new())]).await;
        let (failure, _) = failed(&events);
        assert!(failure.message.contains(&status.to_string()), "{failure}");
        assert!(
            failure.advice.contains("base URL is probably wrong"),
            "{failure}"
        );
    }
    assert_eq!(other.connections(), 0);
}

async fn unreachable(base_url: &str) -> Vec<ModelEvent> {
    let mut settings = ModelSettings::new(base_url, Some("sk-secret".into()), "m");
    settings.retry.base = Duration::from_millis(1);
    settings.retry.max_tries = 2;
    let client = ModelClient::new(settings, Redactor::default()).unwrap();
    all(ask(&client)).await
}

#[tokio::test]
async fn a_refused_connection_is_told_with_its_host() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    drop(listener);
    let events = unreachable(&format!("http://{address}")).await;
    let (failure, _) = failed(&events);
    assert_eq!((failure.kind, retries(&events)), (FailureKind::Network, 1));
    assert!(
        failure.message.contains("refused") && failure.message.contains(&address),
        "{failure}"
    );
}

#[tokio::test]
async fn a_host_that_is_not_there_is_told_by_name() {
    // A label of over 63 characters is refused by the resolver without asking any network; a proxy of
    // the machine that runs this would hide it.
    let host = format!("{}.test", "a".repeat(64));
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let error = http
        .post(format!("http://{host}/"))
        .send()
        .await
        .unwrap_err();
    let wording = Wording {
        host: host.clone(),
        model: "m".into(),
        has_key: true,
        direct: false,
        redactor: Redactor::default(),
        own_key: Redactor::default(),
    };
    let trouble = wording.unreachable(error, DEADLINE);
    assert_eq!(trouble.failure.kind, FailureKind::Network);
    assert!(trouble.transient);
    let message = trouble.failure.message;
    assert!(
        message.contains("There is no host") && message.contains(&host),
        "{message}"
    );
}

#[tokio::test]
async fn a_server_without_tls_is_told_apart() {
    let server = Server::start([]).await;
    let events = unreachable(&server.base_url.replace("http:", "https:")).await;
    let (failure, _) = failed(&events);
    assert_eq!(failure.kind, FailureKind::Network);
    assert!(failure.message.contains("secure connection"), "{failure}");
}

#[tokio::test]
async fn an_endless_error_is_cut() {
    let long = format!("bad {}", "x".repeat(1024 * 1024));
    let events = events([whole(400, long)]).await;
    let (failure, _) = failed(&events);
    assert!(failure.message.contains("bad xxx"), "{failure}");
    assert!(failure.message.chars().count() < 600, "{failure}");
}

#[tokio::test]
async fn more_calls_than_there_may_be_break_the_stream() {
    let asked: Vec<_> = (0..=calls::MAX_CALLS)
        .map(|place| format!(r#"{{"index":{place},"id":"c{place}","function":{{"name":"n"}}}}"#))
        .collect();
    let frame = format!(
        r#"{{"choices":[{{"delta":{{"content":"t","tool_calls":[{}]}}}}]}}"#,
        asked.join(",")
    );
    let events = events([good(&[&frame, STOP])]).await;
    let (failure, text) = failed(&events);
    assert_eq!((failure.kind, text), (FailureKind::BrokenStream, "t"));
    assert!(
        failure.message.contains("more than 1000 tool calls"),
        "{}",
        failure.message
    );
}
