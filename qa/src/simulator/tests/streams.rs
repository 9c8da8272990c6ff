//! Each option of a stream, and the points at which it waits.

use std::time::Instant;

use serde_json::{Value, json};

use super::client::{Client, Conversation, DEADLINE, serve};
use crate::{Delivery, MODEL_NAME};

const RICH: &str = r#"reasoning = "Thinking about 世界."
text = "Hello, 世界 🙂 and more words than one event holds, by far."
calls = [{ name = "a", arguments = { text = "“x”\n\\" } }, { name = "b", arguments = {} }]
"#;

fn rich() -> Value {
    json!({
        "reasoning_content": "Thinking about 世界.",
        "content": "Hello, 世界 🙂 and more words than one event holds, by far.",
        "arguments": [r#"{"text":"“x”\n\\"}"#, "{}"],
    })
}

fn summary(message: &Value) -> Value {
    let arguments: Vec<&Value> = message["tool_calls"]
        .as_array()
        .unwrap()
        .iter()
        .map(|call| &call["function"]["arguments"])
        .collect();
    json!({
        "reasoning_content": message["reasoning_content"],
        "content": message["content"],
        "arguments": arguments,
    })
}

#[test]
fn every_way_to_cut_a_stream_carries_the_same_reply() {
    for options in [
        "",
        "chunk = \"words\"",
        "chunk = \"whole\"",
        "chunk = \"bytes-1\"",
        "chunk = \"bytes-7\"",
        "piece = 1",
        "interleave = true, piece = 2",
        "crlf = true",
        "keepalive_comments = true",
        "keepalive_comments = true, crlf = true, chunk = \"bytes-3\", interleave = true",
    ] {
        let simulator = serve(&format!("{RICH}stream = {{ {options} }}"));
        let answer = Client::new(&simulator).post(&Conversation::new("[s]").body());
        assert_eq!(summary(&answer.message()), rich(), "{options}");
        assert_eq!(answer.finish().as_deref(), Some("tool_calls"), "{options}");
        assert_eq!(answer.data().last().unwrap(), "[DONE]", "{options}");
        assert!(answer.complete, "{options}");
        assert!(answer.body().contains(MODEL_NAME), "{options}");
        assert_eq!(simulator.log().violations, []);
    }
}

fn chunks(options: &str) -> Vec<Vec<u8>> {
    let simulator = serve(&format!("{RICH}stream = {{ {options} }}"));
    let answer = Client::new(&simulator).post(&Conversation::new("[s]").body());
    answer.chunks
}

#[test]
fn bytes_are_cut_inside_characters_and_escapes() {
    let chunks = chunks("chunk = \"bytes-1\"");
    assert!(chunks.iter().all(|chunk| chunk.len() == 1));
    assert!(chunks.iter().any(|chunk| str::from_utf8(chunk).is_err()));
    let escape = [b"\\".to_vec(), b"\\".to_vec()];
    assert!(chunks.windows(2).any(|pair| pair == escape));
    let chunks = self::chunks("chunk = \"bytes-7\"");
    assert!(chunks.iter().rev().skip(1).all(|chunk| chunk.len() == 7));
}

#[test]
fn a_chunk_is_an_event_a_word_or_the_whole() {
    for (options, check) in [
        ("", None),
        ("chunk = \"words\"", Some(" and ")),
        ("chunk = \"whole\"", None),
    ] {
        let chunks = chunks(options);
        if options.contains("whole") {
            assert_eq!(chunks.len(), 1);
        } else {
            let one = |chunk: &Vec<u8>| chunk.windows(5).filter(|at| at == b"data:").count() == 1;
            assert!(chunks.iter().all(one), "{options}");
        }
        if check.is_some() {
            let word = br#""content":"and ""#;
            let found = chunks
                .iter()
                .any(|chunk| chunk.windows(word.len()).any(|at| at == word));
            assert!(found, "{options}");
        }
    }
}

#[test]
fn an_event_carries_48_characters_or_as_many_as_the_scenario_says() {
    for (chars, options, events) in [
        (48, "", 1),
        (49, "", 2),
        (48, "stream = { piece = 10 }", 5),
        (50, "stream = { piece = 10 }", 5),
    ] {
        let simulator = serve(&format!("text = \"{}\"\n{options}", "é".repeat(chars)));
        let answer = Client::new(&simulator).post(&Conversation::new("[s]").body());
        let carrying = answer
            .data()
            .iter()
            .filter(|data| data.contains('é'))
            .count();
        assert_eq!(carrying, events, "{chars} {options}");
    }
}

#[test]
fn pieces_of_all_parts_alternate() {
    let simulator = serve(&format!(
        "{RICH}stream = {{ interleave = true, piece = 1 }}"
    ));
    let answer = Client::new(&simulator).post(&Conversation::new("[s]").body());
    let order: Vec<&str> = answer
        .data()
        .iter()
        .skip(1)
        .take(8)
        .map(|data| {
            ["\"reasoning_content\"", "\"index\":1,\"", "\"tool_calls\""]
                .into_iter()
                .find(|part| data.contains(part))
                .unwrap_or("text")
        })
        .collect();
    assert_eq!(order[..4], order[4..]);
    assert_eq!(order[1], "text");
}

#[test]
fn comments_stand_before_events_and_lines_end_with_cr_lf() {
    let chunks = chunks("keepalive_comments = true, crlf = true");
    for chunk in chunks {
        let text = String::from_utf8(chunk).unwrap();
        assert!(text.starts_with(": keep-alive\r\n\r\ndata: "), "{text}");
        assert!(!text.replace("\r\n", "").contains('\n'), "{text}");
    }
}

#[test]
fn a_pace_spreads_the_chunks() {
    let simulator = serve("text = \"a b c\"\nstream = { chunk = \"words\", pace_millis = 20 }");
    let begin = Instant::now();
    let answer = Client::new(&simulator).post(&Conversation::new("[s]").body());
    assert!(answer.chunks.len() >= 6);
    assert!(begin.elapsed().as_millis() >= 120);
}

#[test]
fn a_single_piece_is_one_completion() {
    let simulator = serve(&format!("{RICH}stream = {{ single_piece = true }}"));
    let answer = Client::new(&simulator).post(&Conversation::new("[s]").body());
    let body: Value = serde_json::from_str(&answer.body()).unwrap();
    assert_eq!(summary(&body["choices"][0]["message"]), rich());
    assert!(answer.head.contains("application/json"));
}

#[test]
fn each_point_holds_the_stream_until_it_is_released() {
    let simulator = serve(
        "text = \"a b c d\"\nstream = { chunk = \"words\" }\n\
         hold = { before = \"p0\", start = \"p1\", mid = \"p2\", after = \"p3\" }",
    );
    std::thread::scope(|scope| {
        let running =
            scope.spawn(|| Client::new(&simulator).post(&Conversation::new("[s]").body()));
        for (point, next) in [("p0", "p1"), ("p1", "p2"), ("p2", "p3"), ("p3", "p4")] {
            assert!(simulator.wait_for(point, DEADLINE), "{point}");
            assert!(!simulator.wait_for(next, std::time::Duration::ZERO));
            assert_eq!(simulator.log().requests[0].delivery, Delivery::Open);
            simulator.release(point);
        }
        assert_eq!(running.join().unwrap().message()["content"], "a b c d");
    });
    assert_eq!(simulator.log().requests[0].delivery, Delivery::Whole);
}

#[test]
fn a_point_released_early_holds_nothing() {
    let simulator = serve("text = \"a\"\nhold = { mid = \"p\" }");
    simulator.release("p");
    let answer = Client::new(&simulator).post(&Conversation::new("[s]").body());
    assert!(answer.complete);
}

#[test]
fn a_client_that_leaves_is_noticed() {
    for phase in ["before", "mid"] {
        let simulator = serve(&format!("text = \"a\"\nhold = {{ {phase} = \"p\" }}"));
        let mut client = Client::new(&simulator);
        let body = Conversation::new("[s]").body();
        client.send("POST", "/v1/chat/completions", "", &body);
        assert!(simulator.wait_for("p", DEADLINE));
        drop(client);
        let begin = Instant::now();
        while simulator.log().requests[0].delivery != Delivery::Left {
            assert!(begin.elapsed() < DEADLINE, "{phase}");
            std::thread::yield_now();
        }
    }
}

#[test]
fn a_running_stream_does_not_keep_the_simulator_from_stopping() {
    let simulator = serve("text = \"a\"\nhold = { mid = \"p\" }");
    let mut client = Client::new(&simulator);
    let body = Conversation::new("[s]").body();
    client.send("POST", "/v1/chat/completions", "", &body);
    assert!(simulator.wait_for("p", DEADLINE));
    drop(simulator);
    assert!(!client.answer().complete);
}

#[test]
fn usage_is_plausible_and_a_scenario_may_give_its_own() {
    let simulator = serve("text = \"a\"\nusage = { input = 7, cached = 64, reasoning = 3 }");
    let answer = Client::new(&simulator).post(&Conversation::new("[s]").body());
    let usage = answer.usage();
    assert_eq!(usage["prompt_tokens"], 71);
    assert_eq!(usage["prompt_cache_hit_tokens"], 64);
    assert_eq!(usage["prompt_cache_miss_tokens"], 7);
    assert_eq!(usage["completion_tokens_details"]["reasoning_tokens"], 3);

    let simulator = serve("text = \"a\"");
    let mut client = Client::new(&simulator);
    let mut talk = Conversation::new(&format!("[s] {}", "long ".repeat(200)));
    let first = talk.step(&mut client).usage();
    assert_eq!(first["prompt_cache_hit_tokens"], 0);
    talk.user("[s] more");
    let second = talk.step(&mut client).usage();
    assert!(second["prompt_cache_hit_tokens"].as_u64().unwrap() >= 256);
    assert!(second["prompt_tokens"].as_u64() > first["prompt_tokens"].as_u64());
}
