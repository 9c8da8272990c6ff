//! Each rule for requests: what breaks it, and what comes near and doesn't.

use serde_json::{Value, json};

use super::client::{Client, Conversation, TAIL, scenario, serve, start};
use crate::{Rule, Scenario, Simulator};

const CALLS: &str = r#"
[[turns]]
reasoning = "Think {{round}}."
text = "Going."
repeat = 3
calls = [{ name = "files_list", arguments = { n = "{{round}}" } }, { name = "files_list", arguments = {} }]
[[turns]]
text = "Done."
"#;

fn calls() -> Vec<Scenario> {
    vec![
        scenario("s", "", CALLS),
        scenario("chat", "", "[[turns]]\nreasoning = \"Hm.\"\ntext = \"Hi.\""),
    ]
}

/// Sends a request that must be refused, for this reason.
fn refused(simulator: &Simulator, body: &str, rule: Rule, words: &str) {
    let before = simulator.log().violations.len();
    let answer = Client::new(simulator).post(body);
    let log = simulator.log();
    assert_eq!(log.violations.len(), before + 1, "accepted: {body}");
    let violation = log.violations.last().unwrap();
    assert_eq!(violation.rule, rule, "{violation:?}");
    assert!(violation.message.contains(words), "{violation:?}");
    assert_eq!(answer.status, 400);
    let message = answer.error()["message"].as_str().unwrap().to_owned();
    assert!(message.contains(&violation.message), "{message}");
}

fn accepted(simulator: &Simulator, body: &str) -> Value {
    let answer = Client::new(simulator).post(body);
    assert_eq!(answer.status, 200, "{}", answer.body());
    answer.message()
}

#[test]
fn a_whole_conversation_over_one_connection_breaks_no_rule() {
    let simulator = start(calls());
    let mut client = Client::new(&simulator);
    let mut talk = Conversation::new("[s]");
    for _ in 0..4 {
        talk.step(&mut client);
    }
    talk.user("[chat]");
    talk.step(&mut client);
    talk.user("[s] again");
    for _ in 0..4 {
        talk.step(&mut client);
    }
    let log = simulator.log();
    assert_eq!(log.violations, []);
    assert_eq!(log.connections, 1);
    let turns: Vec<(&str, u32)> = log
        .requests
        .iter()
        .map(|request| (request.scenario.as_str(), request.turn))
        .collect();
    let four = [("s", 1), ("s", 2), ("s", 3), ("s", 4)];
    assert_eq!(turns, [&four[..], &[("chat", 1)], &four[..]].concat());
}

#[test]
fn only_completions_by_post_and_the_list_of_models_are_served() {
    let simulator = serve("text = \"a\"");
    let mut client = Client::new(&simulator);
    let body = Conversation::new("[s]").body();
    for (method, path, status) in [
        ("GET", "/v1/models", 200),
        ("POST", "/v1/chat/completions", 200),
        ("POST", "/chat/completions", 200),
    ] {
        client.send(method, path, "", &body);
        assert_eq!(client.answer().status, status, "{path}");
    }
    assert_eq!(simulator.log().violations, []);
    for (method, path, status, rule) in [
        ("GET", "/v1/chat/completions", 405, Rule::Method),
        ("POST", "/v1/completions", 404, Rule::Path),
    ] {
        let mut client = Client::new(&simulator);
        client.send(method, path, "", "");
        assert_eq!(client.answer().status, status);
        assert_eq!(simulator.log().violations.last().unwrap().rule, rule);
    }
}

#[test]
fn a_body_is_bounded() {
    let simulator = serve("text = \"a\"");
    let size = |extra: usize| Conversation::new(&format!("[s]{}", "x".repeat(extra))).body();
    let room = crate::MAX_BODY_BYTES - size(0).len();
    assert_eq!(Client::new(&simulator).post(&size(room)).status, 200);
    assert_eq!(simulator.log().violations, []);
    assert_eq!(Client::new(&simulator).post(&size(room + 1)).status, 413);
    assert_eq!(simulator.log().violations[0].rule, Rule::Size);
}

#[test]
fn a_body_is_json_with_messages() {
    let simulator = serve("text = \"a\"");
    let good = Conversation::new("[s]").body();
    for (from, to) in [
        ("{\"max_tokens\"", "\"max_tokens\""),
        ("100,", "100"),
        ("100,", ""),
        ("\"Be brief.\"", "\"Be brief."),
        ("},{", "}{"),
        ("}]}", "}]"),
        ("}]}", "}]}}"),
        ("\"model\":\"m\"", "\"model\":\"m\",\"messages\":[]"),
    ] {
        assert!(good.contains(from), "{from}");
        refused(&simulator, &good.replacen(from, to, 1), Rule::Json, "");
    }
    refused(&simulator, "", Rule::Json, "");
    refused(&simulator, "{\"a\":1}", Rule::Messages, "no messages");
    let none = format!("{{\"messages\":[]{TAIL}");
    refused(&simulator, &none, Rule::Messages, "no messages");
    let spaced = good.replace("},{", " } , \n {").replace("[{", "[ {");
    accepted(&simulator, &spaced);
}

#[test]
fn the_model_is_named_and_streams_with_usage() {
    let simulator = serve("text = \"a\"");
    let good = Conversation::new("[s]").body();
    for (from, to, words) in [
        ("\"model\":\"m\",", "", "model"),
        ("\"model\":\"m\"", "\"model\":\"\"", "model"),
        ("\"stream\":true", "\"stream\":false", "stream"),
        (
            "\"include_usage\":true",
            "\"include_usage\":false",
            "include_usage",
        ),
        (
            ",\"stream_options\":{\"include_usage\":true}",
            "",
            "include_usage",
        ),
        (
            "\"stream\":true",
            "\"stream\":true,\"thinking\":{\"type\":\"off\"}",
            "thinking",
        ),
    ] {
        assert!(good.contains(from), "{from}");
        refused(
            &simulator,
            &good.replacen(from, to, 1),
            Rule::Settings,
            words,
        );
    }
    accepted(&simulator, &good);
}

#[test]
fn messages_have_a_form_and_an_order() {
    let simulator = start(calls());
    let user = || json!({"role": "user", "content": "[s]"});
    let system = || json!({"role": "system", "content": "Be brief."});
    let reply = || json!({"role": "assistant", "content": "x"});
    for (messages, words) in [
        (vec![user(), system()], "comes first"),
        (vec![system()], "no user message"),
        (vec![reply(), user()], "after a user message"),
        (vec![user(), reply()], "model's own"),
        (
            vec![json!({"role": "developer", "content": "x"})],
            "no role",
        ),
        (vec![json!({"content": "x"})], "role"),
        (vec![json!({"role": "user"})], "text or a list"),
        (
            vec![json!({"role": "system", "content": 3}), user()],
            "no text",
        ),
        (
            vec![user(), json!({"role": "assistant"}), user()],
            "text or calls",
        ),
        (
            vec![user(), json!({"role": "assistant", "content": ""}), user()],
            "text or calls",
        ),
        (
            vec![
                user(),
                json!({"role": "assistant", "content": "x", "tool_calls": []}),
                user(),
            ],
            "empty list",
        ),
        (
            vec![json!({"role": "user", "content": "x", "tool_calls": []})],
            "only a reply makes calls",
        ),
        (
            vec![json!({"role": "user", "content": "x", "reasoning_content": "y"})],
            "only a reply carries",
        ),
        (
            vec![json!({"role": "user", "content": "x", "tool_call_id": "y"})],
            "tool_call_id",
        ),
    ] {
        let talk = Conversation {
            messages,
            tail: TAIL.to_owned(),
        };
        refused(&simulator, &talk.body(), Rule::Messages, words);
    }
    let parts = json!({"role": "user", "content": [{"type": "text", "text": "go [chat]"}]});
    let talk = Conversation {
        messages: vec![parts],
        tail: TAIL.to_owned(),
    };
    assert_eq!(accepted(&simulator, &talk.body())["content"], "Hi.");
}

/// A conversation whose first reply's two calls were answered.
fn answered(simulator: &Simulator) -> Conversation {
    let mut talk = Conversation::new("[s]");
    talk.step(&mut Client::new(simulator));
    assert_eq!(talk.messages.len(), 5);
    talk
}

#[test]
fn each_call_is_answered_once_in_order_before_the_next_message() {
    let simulator = start(calls());
    let good = answered(&simulator);
    let check = |change: &dyn Fn(&mut Vec<Value>), words: &str| {
        let mut talk = good.clone();
        change(&mut talk.messages);
        refused(&simulator, &talk.body(), Rule::Answers, words);
    };
    check(
        &|messages| drop(messages.pop()),
        "the request ends while 1 calls",
    );
    check(&|messages| messages.swap(3, 4), "comes next");
    check(
        &|messages| messages.push(messages[4].clone()),
        "waits for no answer",
    );
    check(
        &|messages| messages[4] = json!({"role": "user", "content": "x"}),
        "have no answer",
    );
    check(
        &|messages| messages[4]["tool_call_id"] = json!(null),
        "names no call",
    );
    check(
        &|messages| messages[4]["tool_call_id"] = messages[3]["tool_call_id"].clone(),
        "comes next",
    );
    let mut stray = Conversation::new("[s] stray");
    stray
        .messages
        .push(json!({"role": "tool", "tool_call_id": "x", "content": "y"}));
    refused(&simulator, &stray.body(), Rule::Answers, "no answer");
    accepted(&simulator, &good.body());
}

#[test]
fn arguments_in_the_history_are_json_objects() {
    let simulator = start(calls());
    let good = answered(&simulator);
    for arguments in ["", "[]", "null", "{\"n\":", "{} {}", "\"x\""] {
        let mut talk = good.clone();
        talk.messages[2]["tool_calls"][1]["function"]["arguments"] = arguments.into();
        refused(&simulator, &talk.body(), Rule::Arguments, "no JSON object");
    }
    let mut talk = good;
    talk.messages[2]["tool_calls"][1]["function"]["arguments"] = " {\"same\":\"else\"} ".into();
    accepted(&simulator, &talk.body());
}

#[test]
fn a_request_extends_an_earlier_one_byte_for_byte() {
    let simulator = start(calls());
    let mut client = Client::new(&simulator);
    let mut talk = Conversation::new("[s]");
    for _ in 0..3 {
        talk.step(&mut client);
    }
    let good = talk.body();
    let first = talk.messages[2]["tool_calls"][0]["id"].as_str().unwrap();
    for (from, to) in [
        ("\"max_tokens\":100", "\"max_tokens\":101"),
        ("Be brief.", "Be brief!"),
        ("\"content\":\"Going.\"", "\"content\":\"Going\""),
        ("{\\\"number\\\":1}", "{\\\"number\\\":2}"),
        ("},{", "}, {"),
        (first, "call_other"),
    ] {
        assert!(good.contains(from), "{from}");
        let body = if from == first {
            good.replace(from, to)
        } else {
            good.replacen(from, to, 1)
        };
        let answer = Client::new(&simulator).post(&body);
        let violations = simulator.log().violations;
        let last = violations.last().unwrap();
        assert!(
            matches!(last.rule, Rule::Prefix | Rule::History),
            "{from}: {last:?}"
        );
        assert_eq!(answer.status, 400);
    }
    let refusals = simulator.log().violations.len();
    accepted(&simulator, &good);
    accepted(&simulator, &good);
    assert_eq!(simulator.log().violations.len(), refusals);
}

#[test]
fn a_message_dropped_from_the_middle_is_noticed() {
    let simulator = start(calls());
    let mut client = Client::new(&simulator);
    let mut talk = Conversation::new("[s]");
    for _ in 0..3 {
        talk.step(&mut client);
    }
    talk.messages.drain(2..5);
    refused(&simulator, &talk.body(), Rule::History, "isn't the one");
}

#[test]
fn many_conversations_that_begin_alike_do_not_disturb_each_other() {
    let simulator = start(calls());
    let results = ["one", "two", "three"];
    let mut talks: Vec<(Client, Conversation)> = results
        .iter()
        .map(|_| (Client::new(&simulator), Conversation::new("[s]")))
        .collect();
    for _ in 0..4 {
        for ((client, talk), result) in talks.iter_mut().zip(results) {
            let answer = client.post(&talk.body());
            assert_eq!(answer.status, 200, "{}", answer.body());
            talk.reply(answer.message(), |_| format!("\"{result}\""));
        }
    }
    assert_eq!(simulator.log().violations, []);
    assert_eq!(simulator.log().connections, 3);
}

#[test]
fn more_conversations_than_are_kept_whole_are_checked_all_the_same() {
    let simulator = start(calls());
    let mut client = Client::new(&simulator);
    let mut talks: Vec<Conversation> = (0..40)
        .map(|number| Conversation::new(&format!("[s] {number}")))
        .collect();
    for _ in 0..3 {
        for talk in &mut talks {
            talk.step(&mut client);
        }
    }
    assert_eq!(simulator.log().violations, []);
    let body = talks[0].body().replacen("brief", "short", 1);
    refused(&simulator, &body, Rule::Prefix, "byte for byte");
}

#[test]
fn a_broken_off_conversation_goes_on() {
    let simulator = start(calls());
    let mut client = Client::new(&simulator);
    let mut talk = Conversation::new("[s]");
    client.post(&talk.body());
    // The client died before it stored the reply.
    talk.user("[s] again");
    talk.step(&mut client);
    // The user broke the reply off: a part of it comes back, without its calls.
    let answer = client.post(&talk.body());
    assert_eq!(answer.status, 200);
    talk.messages
        .push(json!({"role": "assistant", "content": "Goi"}));
    talk.user("[chat]");
    talk.step(&mut client);
    assert_eq!(simulator.log().violations, []);
}

#[test]
fn a_conversation_with_another_server_is_taken_as_it_is() {
    let former = start(calls());
    let mut talk = Conversation::new("[s]");
    for _ in 0..3 {
        talk.step(&mut Client::new(&former));
    }
    drop(former);
    let simulator = start(calls());
    for _ in 0..2 {
        talk.step(&mut Client::new(&simulator));
        talk.user("[chat]");
    }
    assert_eq!(simulator.log().violations, []);
    let body = talk.body().replacen("brief", "short", 1);
    assert_eq!(accepted(&simulator, &talk.body())["content"], "Hi.");
    // All it knows of this server is text; a change is noticed once a call of this server is in it.
    accepted(&simulator, &body);
}

#[test]
fn it_is_taken_as_it_is_even_if_one_here_began_alike() {
    let former = start(calls());
    let mut old = Conversation::new("[s]");
    for _ in 0..3 {
        old.step(&mut Client::new(&former));
    }
    drop(former);
    let simulator = start(calls());
    let mut client = Client::new(&simulator);
    answered(&simulator);
    for _ in 0..2 {
        old.step(&mut client);
        old.user("[s]");
    }
    assert_eq!(simulator.log().violations, []);
    let body = old.body().replacen("brief", "short", 1);
    refused(&simulator, &body, Rule::Prefix, "byte for byte");
}

#[test]
fn reasoning_comes_back_verbatim_once_calls_were_made() {
    let simulator = start(calls());
    let good = answered(&simulator);
    assert_eq!(good.messages[2]["reasoning_content"], "Think 1.");
    let mut talk = good.clone();
    talk.messages[2]["reasoning_content"] = "Think 2.".into();
    refused(&simulator, &talk.body(), Rule::Reasoning, "isn't the one");
    talk.messages[2]
        .as_object_mut()
        .unwrap()
        .remove("reasoning_content");
    refused(&simulator, &talk.body(), Rule::Reasoning, "missing");
    accepted(&simulator, &good.body());

    // A later reply without calls, in a conversation that had some.
    let mut client = Client::new(&simulator);
    let mut talk = good;
    for _ in 0..3 {
        talk.step(&mut client);
    }
    talk.user("[chat]");
    talk.step(&mut client);
    talk.user("[chat]");
    let mut without = talk.clone();
    let hm = without.messages.len() - 2;
    assert_eq!(without.messages[hm]["reasoning_content"], "Hm.");
    without.messages[hm]
        .as_object_mut()
        .unwrap()
        .remove("reasoning_content");
    refused(&simulator, &without.body(), Rule::Reasoning, "missing");
    accepted(&simulator, &talk.body());
}

#[test]
fn reasoning_of_a_mere_chat_may_come_back_or_not() {
    let simulator = start(calls());
    for keep in [true, false] {
        let mut talk = Conversation::new(&format!("[chat] {keep}"));
        let mut reply = accepted(&simulator, &talk.body());
        if !keep {
            reply.as_object_mut().unwrap().remove("reasoning_content");
        }
        talk.messages.push(reply);
        talk.user("[chat]");
        accepted(&simulator, &talk.body());
        talk.messages[2]["reasoning_content"] = "Other.".into();
        refused(&simulator, &talk.body(), Rule::Reasoning, "isn't the one");
    }
}

#[test]
fn reasoning_that_was_never_sent_does_not_come_back() {
    let simulator = serve("text = \"a\"");
    let mut talk = Conversation::new("[s]");
    let mut reply = accepted(&simulator, &talk.body());
    reply["reasoning_content"] = "".into();
    talk.messages.push(reply);
    talk.user("[s]");
    refused(&simulator, &talk.body(), Rule::Reasoning, "none was sent");
}

#[test]
fn a_scenario_can_refuse_reasoning() {
    let simulator = start(vec![scenario("s", "refuse_reasoning = true", CALLS)]);
    for _ in 0..2 {
        let mut talk = answered(&simulator);
        let answer = Client::new(&simulator).post(&talk.body());
        assert_eq!(answer.status, 400);
        let message = answer.error()["message"].as_str().unwrap().to_owned();
        assert!(message.contains("reasoning_content"));
        // The same again, without reasoning and thinking, and on from there.
        talk.messages[2]
            .as_object_mut()
            .unwrap()
            .remove("reasoning_content");
        let enabled = talk.tail.replace(
            "\"stream\":true",
            "\"stream\":true,\"thinking\":{\"type\":\"enabled\"}",
        );
        let disabled = enabled.replace("enabled", "disabled");
        talk.tail = enabled;
        assert_eq!(Client::new(&simulator).post(&talk.body()).status, 400);
        talk.tail = disabled;
        for _ in 0..3 {
            let answer = talk.step(&mut Client::new(&simulator));
            assert_eq!(answer.message()["reasoning_content"], Value::Null);
        }
    }
    assert_eq!(simulator.log().violations, []);
}

#[test]
fn without_thinking_there_is_no_reasoning() {
    let simulator = start(calls());
    let mut talk = Conversation::new("[s]");
    talk.tail = TAIL.replace(
        "\"stream\":true",
        "\"stream\":true,\"thinking\":{\"type\":\"disabled\"}",
    );
    let mut client = Client::new(&simulator);
    for _ in 0..4 {
        let answer = talk.step(&mut client);
        assert_eq!(answer.message()["reasoning_content"], Value::Null);
    }
    assert_eq!(simulator.log().violations, []);
}

#[test]
fn the_history_holds_the_reply_that_was_sent() {
    let simulator = start(calls());
    let good = answered(&simulator);
    for (pointer, value) in [
        ("/content", "Gone."),
        ("/tool_calls/1/function/name", "files_read"),
    ] {
        let mut talk = good.clone();
        *talk.messages[2].pointer_mut(pointer).unwrap() = value.into();
        refused(&simulator, &talk.body(), Rule::History, "isn't the one");
    }
    let mut fewer = good.clone();
    fewer.messages.pop();
    fewer.messages[2]["tool_calls"]
        .as_array_mut()
        .unwrap()
        .pop();
    refused(&simulator, &fewer.body(), Rule::History, "other calls");
    accepted(&simulator, &good.body());
}

#[test]
fn tools_stay_the_same_within_a_run() {
    let simulator = start(calls());
    let mut talk = answered(&simulator);
    let other = TAIL.replace("files_list", "files_read");
    talk.tail.clone_from(&other);
    refused(&simulator, &talk.body(), Rule::Tools, "within a run");
    talk.tail = TAIL.to_owned();
    let mut client = Client::new(&simulator);
    for _ in 0..3 {
        talk.step(&mut client);
    }
    // A new request of the user may come with other tools, or none.
    talk.user("[chat]");
    talk.tail = other;
    talk.step(&mut client);
    talk.user("[chat]");
    talk.tail = TAIL.split(",\"tools\"").next().unwrap().to_owned() + "}";
    talk.step(&mut client);
    assert_eq!(simulator.log().violations.len(), 1);
    talk.tail = TAIL.replace("\"object\"", "\"string\"");
    talk.user("[chat]");
    refused(&simulator, &talk.body(), Rule::Tools, "schema");
}
