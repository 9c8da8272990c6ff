use proptest::prelude::*;
use serde_json::json;

use super::super::request::{EncodedTools, Frame, Request};
use super::*;
use crate::protocol::ToolDescription;

fn provider() -> &'static Provider {
    Provider::named("deepseek").unwrap()
}

fn body(conversation: &Conversation, provider: &Provider, tools: &EncodedTools) -> String {
    let frame = Frame::new(provider, "m");
    let body = Request::new(&frame, conversation, tools).body();
    String::from_utf8(body.to_vec()).unwrap()
}

fn no_tools() -> EncodedTools {
    EncodedTools::new(&[])
}

fn user(text: &str) -> HistoryItem {
    HistoryItem::User { text: text.into() }
}

fn turn(text: &str, calls: &[(&str, &str, &str)], reasoning: &[(&str, Value)]) -> HistoryItem {
    HistoryItem::Assistant(AssistantTurn {
        text: text.into(),
        calls: calls
            .iter()
            .map(|(id, name, arguments)| ModelCall {
                id: (*id).into(),
                name: (*name).into(),
                arguments: (*arguments).into(),
            })
            .collect(),
        reasoning: reasoning
            .iter()
            .map(|(field, value)| Reasoning {
                field: (*field).into(),
                value: value.clone(),
            })
            .collect(),
    })
}

fn messages(items: &[HistoryItem]) -> Value {
    let mut conversation = Conversation::of(provider());
    for item in items {
        conversation.push(item);
    }
    let body: Value = serde_json::from_str(&body(&conversation, provider(), &no_tools())).unwrap();
    body["messages"].clone()
}

#[test]
fn every_item_has_its_form() {
    let got = messages(&[
        HistoryItem::System { text: "s\"".into() },
        user("u\n世"),
        turn("t", &[], &[("reasoning_content", json!("r"))]),
        turn("", &[("a", "n", "{\"x\": 1}"), ("b", "n", "{}")], &[]),
        HistoryItem::ToolResult {
            call: "a".into(),
            content: "done".into(),
        },
        turn("", &[], &[]),
    ]);
    assert_eq!(
        got,
        json!([
            {"role":"system","content":"s\""},
            {"role":"user","content":"u\n世"},
            {"role":"assistant","content":"t","reasoning_content":"r"},
            {"role":"assistant","content":null,"tool_calls":[
                {"id":"a","type":"function","function":{"name":"n","arguments":"{\"x\": 1}"}},
                {"id":"b","type":"function","function":{"name":"n","arguments":"{}"}}]},
            {"role":"tool","tool_call_id":"a","content":"done"},
            {"role":"assistant","content":""},
        ])
    );
}

#[test]
fn keys_are_sorted_and_the_rest_of_the_body_is_the_providers() {
    let tools = EncodedTools::new(&[ToolDescription {
        name: "n".into(),
        description: "d".into(),
        input_schema: json!({"type":"object","properties":{}}),
        requires_approval: true,
    }]);
    let mut conversation = Conversation::of(provider());
    conversation.push(&user("u"));
    let tool = r#"[{"function":{"description":"d","name":"n","parameters":{"properties":{},"type":"object"}},"type":"function"}]"#;
    assert_eq!(
        body(&conversation, provider(), &tools),
        format!(
            r#"{{"max_tokens":200000,"messages":[{{"content":"u","role":"user"}}],"model":"m","stream":true,"stream_options":{{"include_usage":true}},"temperature":0.7,"tools":{tool},"top_p":0.9}}"#
        )
    );
    let other = Provider::of_host("localhost");
    assert_eq!(
        body(&conversation, other, &no_tools()),
        r#"{"messages":[{"content":"u","role":"user"}],"model":"m","stream":true,"stream_options":{"include_usage":true},"temperature":0.7,"top_p":0.9}"#
    );
    let frame = Frame::new(Provider::named("openai").unwrap(), "gpt-5");
    let body = Request::new(&frame, &conversation, &no_tools()).body();
    let body: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(body["max_completion_tokens"], 32_000);
    for absent in ["temperature", "top_p", "max_tokens", "thinking", "tools"] {
        assert!(body.get(absent).is_none(), "{absent}");
    }
}

#[test]
fn broken_arguments_go_back_inside_an_object() {
    let long = "x".repeat(MAX_BROKEN_CHARS + 1);
    for (arguments, beginning) in [
        ("{\"a\":", "{\"a\":"),
        ("[1]", "[1]"),
        ("\"text\"", "\"text\""),
        ("", ""),
        (long.as_str(), long.strip_suffix('x').unwrap()),
    ] {
        let got = messages(&[turn("", &[("a", "n", arguments)], &[])]);
        let sent = got[0]["tool_calls"][0]["function"]["arguments"]
            .as_str()
            .unwrap();
        let sent: Value = serde_json::from_str(sent).unwrap();
        assert_eq!(sent["invalid_arguments"], beginning, "{arguments}");
    }
    let exact = format!("{{\"a\":\"{}\"}}", "y".repeat(MAX_BROKEN_CHARS));
    let got = messages(&[turn("", &[("a", "n", &exact)], &[])]);
    assert_eq!(got[0]["tool_calls"][0]["function"]["arguments"], exact);
}

#[test]
fn names_that_no_server_takes_are_made_sendable() {
    let name = |given: &str| {
        let got = messages(&[turn("", &[("a", given, "{}")], &[])]);
        got[0]["tool_calls"][0]["function"]["name"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert_eq!(name("files_read"), "files_read");
    assert_eq!(name("read file/世"), "read_file__");
    assert_eq!(name(""), "unnamed");
    assert_eq!(name(&"n".repeat(MAX_NAME_CHARS + 1)).len(), MAX_NAME_CHARS);
    assert_eq!(name(&"n".repeat(MAX_NAME_CHARS)).len(), MAX_NAME_CHARS);
}

#[test]
fn reasoning_goes_back_as_it_came_and_empty_or_foreign_fields_do_not() {
    let details = json!([{"type":"reasoning.text","text":"a"}]);
    let got = messages(&[turn(
        "t",
        &[],
        &[
            ("reasoning_details", details.clone()),
            ("reasoning", json!("r")),
            ("reasoning", json!("again")),
            ("reasoning_content", json!("")),
            ("content", json!("stolen")),
            ("role", json!("system")),
        ],
    )]);
    assert_eq!(
        got,
        json!([{"role":"assistant","content":"t","reasoning":"r","reasoning_details":details}])
    );
}

#[test]
fn a_refusal_leaves_reasoning_out_for_good() {
    let mut conversation = Conversation::of(provider());
    conversation.push(&user("u"));
    conversation.push(&turn(
        "a",
        &[],
        &[("reasoning_content", json!("secret \"thought\""))],
    ));
    conversation.push(&turn(
        "b",
        &[("c", "n", "{}")],
        &[("reasoning_content", json!("more"))],
    ));
    let frame = Frame::new(provider(), "m");
    let mut request = Request::new(&frame, &conversation, &no_tools());
    assert!(String::from_utf8_lossy(&request.body()).contains("thought"));
    assert!(request.make_plainer());
    assert!(!request.make_plainer());
    let plain: Value = serde_json::from_slice(&request.body()).unwrap();
    assert_eq!(plain["thinking"], json!({"type":"disabled"}));
    assert_eq!(
        plain["messages"][1],
        json!({"role":"assistant","content":"a"})
    );
    assert_eq!(plain["messages"][2]["tool_calls"][0]["id"], "c");
    let next = Request::new(&frame, &conversation, &no_tools()).body();
    assert_eq!(next, request.body());

    // Where there is nothing to leave out and no switch, the same request would be refused again.
    let other = Provider::of_host("localhost");
    let mut bare = Conversation::of(other);
    bare.push(&user("u"));
    assert!(!Request::new(&Frame::new(other, "m"), &bare, &no_tools()).make_plainer());
}

fn item() -> impl Strategy<Value = HistoryItem> {
    prop_oneof![
        ".{0,20}".prop_map(|text| user(&text)),
        (".{0,8}", ".{0,12}").prop_map(|(call, content)| HistoryItem::ToolResult { call, content }),
        (
            ".{0,12}",
            prop::collection::vec((".{0,4}", "[a-z]{1,6}", ".{0,12}"), 0..3),
            ".{0,8}"
        )
            .prop_map(|(text, calls, reasoning)| {
                let calls: Vec<_> = calls
                    .iter()
                    .map(|(id, name, arguments)| (id.as_str(), name.as_str(), arguments.as_str()))
                    .collect();
                turn(&text, &calls, &[("reasoning_content", json!(reasoning))])
            }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn requests_grow_only_at_the_end(items in prop::collection::vec(item(), 1..12)) {
        let mut conversation = Conversation::of(provider());
        let mut before: Option<String> = None;
        for item in &items {
            conversation.push(item);
            let now = body(&conversation, provider(), &no_tools());
            prop_assert!(serde_json::from_str::<Value>(&now).is_ok(), "{}", now);
            if let Some(before) = before {
                let (kept, _) = before.rsplit_once("],\"model\":").unwrap();
                prop_assert!(now.starts_with(kept));
            }
            before = Some(now);
        }
    }
}
