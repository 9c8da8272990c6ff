//! What good and odd answers become.

use crate::protocol::{FailureKind, NoticeKind, Usage};

use crate::support::redact::Redactor;

use super::super::*;
use super::server::*;

#[tokio::test]
async fn a_stream_becomes_events_and_one_reply() {
    let server = Server::start([good(&[
        r#"{"choices":[{"delta":{"role":"assistant","content":"","reasoning_content":"r"}}]}"#,
        &content("he"),
        &content("llo"),
        r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"n","arguments":"{}"}}]}}]}"#,
        r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#,
        r#"{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4,"prompt_cache_hit_tokens":8,
            "completion_tokens_details":{"reasoning_tokens":1}}}"#
            .replace('\n', "")
            .as_str(),
    ])])
    .await;
    let events = all(ask(&server.client())).await;
    assert_eq!(
        events[..events.len() - 1],
        [
            ModelEvent::ReasoningActive,
            ModelEvent::Text("hello".into()),
            ModelEvent::CallAnnounced { tool: "n".into() },
        ]
    );
    let reply = reply(&events);
    assert_eq!(
        (reply.turn.text.as_str(), &reply.finish),
        ("hello", &Finish::Calls)
    );
    assert_eq!(reply.turn.calls[0].id, "a");
    assert_eq!(reply.turn.reasoning[0].value, "r");
    let usage = Usage {
        input: 1,
        cached: 8,
        output: 4,
        reasoning: 1,
    };
    assert_eq!(reply.usage, usage);
    server.seen(0, |seen| {
        assert_eq!(seen.path, "/v1/chat/completions");
        assert_eq!(seen.headers["authorization"], "Bearer sk-secret");
        assert_eq!(seen.headers["content-type"], "application/json");
        assert_eq!(
            seen.headers["user-agent"],
            concat!("wisp/", env!("CARGO_PKG_VERSION"))
        );
        assert_eq!(
            seen.headers["content-length"],
            seen.bytes.len().to_string().as_str()
        );
        assert_eq!(seen.body["messages"][0]["content"], "q");
        assert_eq!(seen.body["stream"], true);
        assert_eq!(seen.body["stream_options"]["include_usage"], true);
    });
}

#[tokio::test]
async fn characters_and_calls_may_be_cut_anywhere() {
    let frames = [
        content("é世🙂"),
        r#"{"choices":[{"delta":{"tool_calls":[{"index":1,"id":"b","function":{"name":"two","arguments":"{\"ü\""}}]}}]}"#.into(),
        content("!"),
        r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"one","arguments":"{}"}}]}}]}"#.into(),
        r#"{"choices":[{"delta":{"tool_calls":[{"index":1,"function":{"arguments":":\"文\"}"}}]}}]}"#.into(),
    ];
    let body: String = frames
        .iter()
        .map(String::as_str)
        .chain(["[DONE]"])
        .flat_map(|frame| ["data: ", frame, "\r\n\r\n"])
        .collect();
    let bytes = body
        .into_bytes()
        .chunks(1)
        .map(|byte| Piece::Bytes(byte.to_vec()))
        .collect();
    let events = events([pieces(bytes)]).await;
    let reply = reply(&events);
    assert_eq!(reply.turn.text, "é世🙂!");
    let shown: String = events
        .iter()
        .filter_map(|event| match event {
            ModelEvent::Text(text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(shown, reply.turn.text);
    let calls: Vec<_> = reply
        .turn
        .calls
        .iter()
        .map(|call| call.arguments.as_str())
        .collect();
    assert_eq!(calls, ["{}", r#"{"ü":"文"}"#]);
}

#[tokio::test]
async fn an_end_needs_its_mark_or_its_reason() {
    let no_mark = pieces(vec![data(&content("t")), data(STOP)]);
    assert_eq!(reply(&events([no_mark]).await).finish, Finish::Stop);
    let cut_after_reason = pieces(vec![data(&content("t")), data(STOP), Piece::Cut]);
    assert_eq!(
        reply(&events([cut_after_reason]).await).finish,
        Finish::Stop
    );
    let no_reason = good(&[&content("t")]);
    assert_eq!(
        reply(&events([no_reason]).await).finish,
        Finish::Unknown(String::new())
    );
    let no_blank_line = whole(200, format!("data: {}\n\ndata: [DONE]", content("t")));
    assert_eq!(reply(&events([no_blank_line]).await).turn.text, "t");
    let after = whole(
        200,
        format!(
            "data: {}\n\ndata: [DONE]\n\ndata: no json\n\n",
            content("t")
        ),
    );
    assert_eq!(reply(&events([after]).await).turn.text, "t");
}

#[tokio::test]
async fn one_whole_completion_is_a_reply() {
    let body = r#"
        {"choices":[{"index":0,"message":{"role":"assistant","content":"t"},"finish_reason":"stop"}],
         "usage":{"prompt_tokens":3,"completion_tokens":2}}"#;
    let events = events([whole(200, body)]).await;
    assert_eq!(events[0], ModelEvent::Text("t".into()));
    assert_eq!(
        (reply(&events).usage.input, reply(&events).usage.output),
        (3, 2)
    );
}

#[tokio::test]
async fn a_web_page_is_told_plainly() {
    let page = Answer::Whole(
        200,
        vec![("content-type", "text/html".into())],
        "<!doctype html><p>hi".into(),
    );
    let events = events([page]).await;
    let (failure, _) = failed(&events);
    assert!(failure.message.contains("web page"), "{failure}");
    assert!(failure.advice.contains("base URL"), "{failure}");
    assert_eq!(retries(&events), 0);
}

#[tokio::test]
async fn json_that_is_no_reply_is_an_error() {
    let odd = events([whole(200, r#"{"hello":"world"}"#)]).await;
    assert_eq!(failed(&odd).0.kind, FailureKind::BrokenStream);
    assert_eq!(retries(&odd), 0);
    let error = events([whole(
        200,
        r#"{"error":{"type":"authentication_error","message":"m"}}"#,
    )])
    .await;
    assert_eq!(failed(&error).0.kind, FailureKind::Authentication);
    let overload = whole(
        200,
        r#"{"error":{"type":"overloaded_error","message":"m"}}"#,
    );
    let events = events([overload, says("t")]).await;
    assert_eq!(
        (retries(&events), reply(&events).turn.text.as_str()),
        (1, "t")
    );
}

#[tokio::test]
async fn an_empty_reply_is_asked_for_once_more() {
    let first = events([good(&[STOP]), says("t")]).await;
    assert!(matches!(
        &first[0],
        ModelEvent::Notice(NoticeKind::EmptyReply, _)
    ));
    // What the empty answer cost is part of the bill.
    assert_eq!(
        (reply(&first).turn.text.as_str(), reply(&first).usage.output),
        ("t", 4)
    );
    let server = Server::start([good(&[STOP]), good(&[STOP]), says("never asked for")]).await;
    let second = all(ask(&server.client())).await;
    assert_eq!(failed(&second).0.kind, FailureKind::EmptyReply);
    assert_eq!(server.requests(), 2);
}

#[tokio::test]
async fn a_filter_or_a_lack_keeps_the_text() {
    for (reason, kind) in [
        ("content_filter", FailureKind::ContentFilter),
        ("insufficient_system_resource", FailureKind::Overload),
    ] {
        let end = format!(r#"{{"choices":[{{"delta":{{}},"finish_reason":"{reason}"}}]}}"#);
        let events = events([good(&[&content("half"), &end])]).await;
        let (failure, text) = failed(&events);
        assert_eq!((failure.kind, text), (kind, "half"));
        assert_eq!(retries(&events), 0);
    }
}

#[tokio::test]
async fn refused_reasoning_is_left_out_and_stays_out() {
    let refusal = r#"{"error":{"message":"reasoning_content is not allowed here"}}"#;
    let server = Server::start([whole(400, refusal), says("t"), says("u")]).await;
    let mut settings = server.settings();
    settings.provider = Some("deepseek".into());
    let client = ModelClient::new(settings, Redactor::default()).unwrap();
    let mut conversation = question(&client);
    conversation.push(&HistoryItem::Assistant(AssistantTurn {
        text: "a".into(),
        calls: Vec::new(),
        reasoning: vec![Reasoning {
            field: "reasoning_content".into(),
            value: "r".into(),
        }],
    }));
    let first = all(ask_with(&client, &conversation)).await;
    assert!(matches!(
        &first[0],
        ModelEvent::Notice(NoticeKind::ReasoningRefused, _)
    ));
    assert_eq!(reply(&first).turn.text, "t");
    let second = all(ask_with(&client, &conversation)).await;
    assert_eq!(reply(&second).turn.text, "u");
    server.seen(0, |seen| {
        assert_eq!(seen.body["messages"][1]["reasoning_content"], "r");
        assert!(seen.body.get("thinking").is_none());
    });
    for place in [1, 2] {
        server.seen(place, |seen| {
            assert!(seen.body["messages"][1].get("reasoning_content").is_none());
            assert_eq!(seen.body["thinking"]["type"], "disabled");
        });
    }
}

#[tokio::test]
async fn a_second_refusal_is_an_error() {
    let refusal = r#"{"error":{"message":"reasoning_content is not allowed here"}}"#;
    let server = Server::start([whole(400, refusal), whole(400, refusal)]).await;
    let mut settings = server.settings();
    settings.provider = Some("deepseek".into());
    let client = ModelClient::new(settings, Redactor::default()).unwrap();
    let events = all(ask(&client)).await;
    assert_eq!(failed(&events).0.kind, FailureKind::BadRequest);
    assert_eq!(server.requests(), 2);
}
