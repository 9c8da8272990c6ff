use proptest::prelude::*;

use crate::protocol::FailureKind;

use super::super::calls::MAX_CALLS;
use super::super::frames::Frames;
use super::super::item::ModelCall;
use super::*;

fn assemble(frames: &[&str]) -> (Vec<ModelEvent>, Ending) {
    let mut reply = Assembler::new("s");
    for frame in frames {
        reply.feed(frame);
    }
    reply.announce_rest();
    let events = reply.take_events();
    (events, reply.finish(Some(100)))
}

fn reply(frames: &[&str]) -> Reply {
    match assemble(frames).1 {
        Ending::Reply(reply) => reply,
        other => panic!("no reply: {other:?}"),
    }
}

fn delta(json: &str) -> String {
    format!(r#"{{"choices":[{{"index":0,"delta":{json},"finish_reason":null}}]}}"#)
}

fn finish(reason: &str) -> String {
    format!(r#"{{"choices":[{{"index":0,"delta":{{}},"finish_reason":"{reason}"}}]}}"#)
}

#[test]
fn text_reasoning_and_calls_interleave() {
    let frames = [
        delta(r#"{"role":"assistant","content":null,"reasoning_content":""}"#),
        delta(r#"{"reasoning_content":"th"}"#),
        delta(r#"{"reasoning_content":"ink"}"#),
        delta(r#"{"content":"he"}"#),
        delta(r#"{"tool_calls":[{"index":1,"id":"b","function":{"name":"two","arguments":""}}]}"#),
        delta(r#"{"content":"llo"}"#),
        delta(r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"one","arguments":"{"}}]}"#),
        delta(
            r#"{"reasoning_content":"!","tool_calls":[{"index":0,"function":{"arguments":"}"}}]}"#,
        ),
        finish("tool_calls"),
    ];
    let frames: Vec<_> = frames.iter().map(String::as_str).collect();
    let (events, ending) = assemble(&frames);
    let announced = |tool: &str| ModelEvent::CallAnnounced { tool: tool.into() };
    assert_eq!(
        events,
        [
            ModelEvent::ReasoningActive,
            ModelEvent::Text("hello".into()),
            announced("two"),
            announced("one"),
            ModelEvent::ReasoningActive,
        ]
    );
    let Ending::Reply(reply) = ending else {
        panic!("{ending:?}")
    };
    assert_eq!(reply.finish, Finish::Calls);
    assert_eq!(reply.turn.text, "hello");
    let call = |id: &str, name: &str| ModelCall {
        id: id.into(),
        name: name.into(),
        arguments: "{}".into(),
    };
    assert_eq!(reply.turn.calls, [call("a", "one"), call("b", "two")]);
    assert_eq!(reply.turn.reasoning.len(), 1);
    assert_eq!(reply.turn.reasoning[0].field, "reasoning_content");
    assert_eq!(reply.turn.reasoning[0].value, "think!");
}

#[test]
fn reasoning_keeps_its_name_and_its_form() {
    let turn = reply(&[
        &delta(r#"{"reasoning":"a","reasoning_details":[{"type":"reasoning.text","text":"a","index":0}]}"#),
        &delta(r#"{"reasoning":"b","reasoning_details":[{"type":"reasoning.encrypted","data":"x"}]}"#),
        &delta(r#"{"reasoning":null,"reasoning_details":[],"reasoning_content":"","content":"t"}"#),
        &finish("stop"),
    ])
    .turn;
    let fields: Vec<_> = turn
        .reasoning
        .iter()
        .map(|part| part.field.as_str())
        .collect();
    assert_eq!(fields, ["reasoning", "reasoning_details"]);
    assert_eq!(turn.reasoning[0].value, "ab");
    assert_eq!(
        turn.reasoning[1].value,
        serde_json::json!([
            {"type":"reasoning.text","text":"a","index":0},
            {"type":"reasoning.encrypted","data":"x"}
        ])
    );
}

#[test]
fn the_last_usage_counts_once() {
    let reply = reply(&[
        r#"{"choices":[{"delta":{"content":"a"}}],"usage":{"prompt_tokens":5,"completion_tokens":1}}"#,
        r#"{"choices":[{"delta":{},"finish_reason":"stop"}],"usage":null}"#,
        r#"{"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":2,"prompt_cache_hit_tokens":4}}"#,
    ]);
    let expected = Usage {
        input: 1,
        cached: 4,
        output: 2,
        reasoning: 0,
    };
    assert_eq!(reply.usage, expected);
}

#[test]
fn each_end_means_what_the_contract_says() {
    let text = delta(r#"{"content":"t"}"#);
    let call = delta(r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"n"}}]}"#);
    let spent = r#"{"choices":[],"usage":{"completion_tokens":100}}"#;
    for (frames, expected) in [
        (vec![&*text, &finish("stop")], Finish::Stop),
        (vec![&*text, &finish("tool_calls")], Finish::Stop),
        (vec![&*text, &call, &finish("stop")], Finish::Calls),
        (vec![&*call], Finish::Calls),
        (vec![&*text, &call, &finish("length")], Finish::Length),
        (vec![&*text, spent], Finish::Length),
        (vec![&*text], Finish::Unknown(String::new())),
        (vec![&*text, &finish("odd")], Finish::Unknown("odd".into())),
        (vec![&*call, &finish("odd")], Finish::Unknown("odd".into())),
    ] {
        assert_eq!(reply(&frames).finish, expected, "{frames:?}");
    }
    for (frames, expected) in [
        (vec![finish("stop")], Ending::Empty(Usage::default())),
        (vec![finish("odd")], Ending::Empty(Usage::default())),
        (vec![], Ending::Empty(Usage::default())),
        (
            vec![delta(r#"{"reasoning":"r"}"#), finish("length")],
            Ending::CutEmpty,
        ),
        (
            vec![text.clone(), finish("content_filter")],
            Ending::Filtered,
        ),
        (
            vec![text.clone(), finish("insufficient_system_resource")],
            Ending::Exhausted,
        ),
    ] {
        let frames: Vec<_> = frames.iter().map(String::as_str).collect();
        assert_eq!(assemble(&frames).1, expected, "{frames:?}");
    }
}

#[test]
fn blanks_alone_are_no_text_and_are_not_shown() {
    let blank = delta(r#"{"content":"\n\n"}"#);
    let call = delta(r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"n"}}]}"#);
    let (events, ending) = assemble(&[&blank, &finish("stop")]);
    assert_eq!((events.len(), ending), (0, Ending::Empty(Usage::default())));
    assert_eq!(reply(&[&blank, &call, &finish("stop")]).turn.text, "");
    let (events, _) = assemble(&[&blank, &delta(r#"{"content":" a"}"#), &finish("stop")]);
    assert_eq!(events, [ModelEvent::Text("\n\n a".into())]);
}

#[test]
fn frames_are_told_apart() {
    let mut reply = Assembler::new("s");
    assert_eq!(
        reply.feed(&delta(r#"{"role":"assistant","content":""}"#)),
        Fed::Nothing
    );
    assert_eq!(reply.feed("[1]"), Fed::Nothing);
    assert_eq!(reply.feed("{\"choices\":null}"), Fed::Nothing);
    assert!(!reply.has_started());
    assert_eq!(reply.feed("{\"choices\""), Fed::NoJson);
    assert_eq!(reply.feed(" [DONE] "), Fed::Done);
    let Fed::Error(error) = reply.feed(r#"{"error":{"type":"overloaded_error","message":"m"}}"#)
    else {
        panic!("no error")
    };
    assert_eq!((error.kind, error.transient), (FailureKind::Overload, true));
    assert_eq!(reply.feed(&delta(r#"{"reasoning":"r"}"#)), Fed::Output);
    assert!(reply.has_started());
}

#[test]
fn a_whole_completion_is_a_reply_and_its_repetition_is_not() {
    let message = r#"{"choices":[{"message":{"role":"assistant","content":"t","tool_calls":[
        {"id":"a","index":0,"type":"function","function":{"name":"n","arguments":"{}"}},
        {"type":"function","index":0,"function":{"name":"n","arguments":"{}"}}]},"finish_reason":"tool_calls"}],
        "usage":{"prompt_tokens":1,"completion_tokens":2}}"#;
    let whole = reply(&[message]);
    assert_eq!((whole.turn.text.as_str(), whole.turn.calls.len()), ("t", 2));
    assert_eq!((whole.usage.output, whole.finish), (2, Finish::Calls));
    let repeated = reply(&[&delta(r#"{"content":"t"}"#), message]);
    assert_eq!(
        (repeated.turn.text.as_str(), repeated.turn.calls.len()),
        ("t", 0)
    );
}

#[test]
fn a_reply_may_reach_the_limit_and_not_pass_it() {
    let mut reply = Assembler::new("s");
    let piece = delta(&format!(
        r#"{{"content":"{}"}}"#,
        "x".repeat(MAX_REPLY_BYTES / 16)
    ));
    for _ in 0..16 {
        assert_eq!(reply.feed(&piece), Fed::Output);
    }
    assert_eq!(reply.feed(&delta(r#"{"content":"x"}"#)), Fed::TooLarge);
}

/// The piece that begins one more call, numbered or not.
fn next_call(place: usize, numbered: bool) -> String {
    let index = if numbered {
        format!(r#""index":{place},"#)
    } else {
        String::new()
    };
    format!(r#"{{{index}"id":"c{place}","function":{{"name":"n","arguments":"{{}}"}}}}"#)
}

#[test]
fn calls_may_reach_the_limit_and_not_pass_it() {
    for numbered in [true, false] {
        let mut reply = Assembler::new("s");
        for place in 0..MAX_CALLS {
            let piece = next_call(place, numbered);
            let fed = reply.feed(&delta(&format!(r#"{{"tool_calls":[{piece}]}}"#)));
            assert_eq!(fed, Fed::Output);
        }
        let again = next_call(0, numbered);
        let again = delta(&format!(r#"{{"tool_calls":[{again}]}}"#));
        assert_eq!(reply.feed(&again), Fed::Output, "no new one");
        let piece = next_call(MAX_CALLS, numbered);
        let fed = reply.feed(&delta(&format!(r#"{{"tool_calls":[{piece}]}}"#)));
        assert_eq!(fed, Fed::TooManyCalls);
    }
    // All in one frame: nothing is kept beyond the limit.
    let all: Vec<_> = (0..200_000).map(|place| next_call(place, false)).collect();
    let mut reply = Assembler::new("s");
    let fed = reply.feed(&delta(&format!(r#"{{"tool_calls":[{}]}}"#, all.join(","))));
    assert_eq!(fed, Fed::TooManyCalls);
    reply.announce_rest();
    assert_eq!(reply.take_events().len(), MAX_CALLS + 1);
}

/// One stream with everything in it, as bytes.
fn stream() -> Vec<u8> {
    let frames = [
        delta(r#"{"reasoning_content":"想"}"#),
        delta(r#"{"content":"é世"}"#),
        delta(r#"{"tool_calls":[{"index":1,"id":"b","function":{"name":"two","arguments":"{\"ü"}}]}"#),
        delta(r#"{"content":"🙂","tool_calls":[{"index":0,"id":"a","function":{"name":"one","arguments":""}}]}"#),
        delta(r#"{"tool_calls":[{"index":1,"function":{"arguments":"\":\"文\"}"}}]}"#),
        finish("tool_calls"),
        r#"{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":3,"prompt_cache_hit_tokens":8}}"#.into(),
        "[DONE]".into(),
        delta(r#"{"content":"after the end"}"#),
    ];
    let ends = ["\n\n", "\r\n\r\n", "\r\r"];
    let mut bytes = Vec::new();
    for (place, frame) in frames.iter().enumerate() {
        bytes.extend_from_slice(
            format!(": keep alive\n\ndata: {frame}{}", ends[place % 3]).as_bytes(),
        );
    }
    bytes
}

fn from_bytes(pieces: Vec<Vec<u8>>) -> Ending {
    let body = futures_util::stream::iter(pieces.into_iter().map(|piece| Ok(piece.into())));
    let mut frames = Frames::new(bytes::Bytes::new(), Box::pin(body));
    let mut reply = Assembler::new("s");
    tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap()
        .block_on(async {
            while let Some(frame) = frames.next().await {
                match reply.feed(&frame.unwrap()) {
                    Fed::Done => break,
                    Fed::Nothing | Fed::Output => {}
                    other => panic!("{other:?}"),
                }
            }
        });
    reply.finish(None)
}

#[test]
fn the_reply_is_the_same_at_every_single_cut() {
    let bytes = stream();
    let whole = from_bytes(vec![bytes.clone()]);
    let Ending::Reply(reply) = &whole else {
        panic!("{whole:?}")
    };
    assert_eq!(reply.turn.text, "é世🙂");
    assert_eq!(reply.turn.calls[1].arguments, r#"{"ü":"文"}"#);
    for cut in 1..bytes.len() {
        let (left, right) = bytes.split_at(cut);
        assert_eq!(
            from_bytes(vec![left.to_vec(), right.to_vec()]),
            whole,
            "at {cut}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn the_reply_is_the_same_for_any_split(sizes in prop::collection::vec(1_usize..40, 1..400)) {
        let bytes = stream();
        let mut pieces = Vec::new();
        let mut rest = bytes.as_slice();
        for size in sizes {
            let (piece, after) = rest.split_at(size.min(rest.len()));
            pieces.push(piece.to_vec());
            rest = after;
        }
        pieces.push(rest.to_vec());
        prop_assert_eq!(from_bytes(pieces), from_bytes(vec![bytes]));
    }
}
