//! Which script is played, and what its placeholders say.

use serde_json::json;

use super::client::{Client, Conversation, scenario, start};
use crate::{Scenario, builtin};

fn untagged(text: &str) -> Scenario {
    let mut scenario = scenario("x", "", &format!("[[turns]]\ntext = \"{text}\""));
    scenario.tag = None;
    scenario
}

#[test]
fn the_last_user_messages_first_tag_decides() {
    let simulator = start(vec![
        scenario("a", "", "[[turns]]\ntext = \"A\""),
        scenario("b", "", "[[turns]]\ntext = \"B\""),
        untagged("none: {{tags}}"),
    ]);
    let mut client = Client::new(&simulator);
    let mut talk = Conversation::new("hello");
    for (asked, answer) in [
        ("go [b]", "B"),
        ("[a] or [b]", "A"),
        ("[b] or [a]", "B"),
        ("neither", "none: - `[a]` a\n- `[b]` b"),
    ] {
        talk.user(asked);
        assert_eq!(talk.step(&mut client).message()["content"], answer);
    }
    assert_eq!(simulator.log().violations, []);
}

#[test]
fn without_a_scenario_it_says_what_it_is() {
    let simulator = start(Vec::new());
    let answer = Conversation::new("hi").step(&mut Client::new(&simulator));
    let text = answer.message()["content"].as_str().unwrap().to_owned();
    assert!(text.contains("simulation"));
}

#[test]
fn a_tags_number_says_how_many_rounds() {
    let turns = "[[turns]]\nrepeat = \"N\"\ntext = \"{{round}}\"\ncalls = [{ name = \"a\", arguments = { n = \"{{=round+10}}\" } }]\n\
                 [[turns]]\ntext = \"over\"";
    let mut numbered = scenario("n", "", turns);
    numbered.tag = Some("[rounds:N]".to_owned());
    let simulator = start(vec![numbered]);
    let mut client = Client::new(&simulator);
    for rounds in [0, 1, 3] {
        let mut talk = Conversation::new(&format!("[rounds:{rounds}]"));
        for round in 1..=rounds {
            let message = talk.step(&mut client).message();
            assert_eq!(message["content"], round.to_string());
            let arguments = &message["tool_calls"][0]["function"]["arguments"];
            assert_eq!(arguments, &format!("{{\"n\":{}}}", round + 10));
        }
        assert_eq!(talk.step(&mut client).message()["content"], "over");
    }
    assert_eq!(simulator.log().violations, []);
}

#[test]
fn a_script_without_more_turns_says_so() {
    let simulator = start(vec![scenario(
        "s",
        "",
        "[[turns]]\ntext = \"\"\ncalls = [{ name = \"a\", arguments = {} }]",
    )]);
    let mut client = Client::new(&simulator);
    let mut talk = Conversation::new("[s]");
    talk.step(&mut client);
    let message = talk.step(&mut client).message();
    assert!(
        message["content"]
            .as_str()
            .unwrap()
            .contains("nothing more")
    );
}

#[test]
fn replies_quote_the_last_batch_also_when_the_request_is_sent_again() {
    let simulator = start(vec![scenario(
        "s",
        "",
        "[[turns]]\ncalls = [{ name = \"a\", copies = 2, arguments = {} }]\n\
         [[turns]]\ntext = \"{{result.0.path}} {{result.1}} {{result.2.x}}\"\ncalls = [{ name = \"b\", arguments = { sha256 = \"{{result.0.path}}\" } }]",
    )]);
    let mut client = Client::new(&simulator);
    let mut talk = Conversation::new("[s]");
    let answer = client.post(&talk.body());
    let results = ["{\"path\":\"é.md\"}", "no JSON"];
    talk.reply(answer.message(), |number| results[number].to_owned());
    for _ in 0..2 {
        let message = client.post(&talk.body()).message();
        assert_eq!(message["content"], "é.md no JSON (nothing)");
        let arguments = &message["tool_calls"][0]["function"]["arguments"];
        assert_eq!(arguments, "{\"sha256\":\"é.md\"}");
    }
}

#[test]
fn calls_have_ids_of_their_own_that_a_retry_keeps() {
    let simulator = start(vec![scenario(
        "s",
        "",
        "[[turns]]\nrepeat = \"forever\"\ncalls = [{ name = \"a\", copies = 3, arguments = {} }]",
    )]);
    let mut client = Client::new(&simulator);
    let mut talk = Conversation::new("[s]");
    let mut seen = std::collections::HashSet::new();
    for _ in 0..50 {
        let again = client.post(&talk.body()).message();
        let message = talk.step(&mut client).message();
        assert_eq!(again, message);
        for call in message["tool_calls"].as_array().unwrap() {
            assert!(seen.insert(call["id"].as_str().unwrap().to_owned()));
        }
    }
}

#[test]
fn raw_arguments_go_out_as_they_are() {
    let simulator = start(vec![scenario(
        "s",
        "",
        "[[turns]]\ncalls = [{ name = \"a\", arguments_raw = '{\"path\": ' }]",
    )]);
    let message = Client::new(&simulator)
        .post(&Conversation::new("[s]").body())
        .message();
    let arguments = &message["tool_calls"][0]["function"]["arguments"];
    assert_eq!(arguments, "{\"path\": ");
}

#[test]
fn every_built_in_scenario_is_played_to_its_last_turn_by_an_obedient_client() {
    let simulator = start(builtin());
    for scenario in builtin() {
        if scenario.require_key.is_some() || scenario.name == "fault-comments" {
            continue;
        }
        let mut client = Client::new(&simulator);
        let mut talk = Conversation::new(&scenario.prompt);
        // One request a turn, and what faults cost; the endless ones are followed for a while.
        for _ in 0..30 {
            let answer = client.post(&talk.body());
            if answer.status == 400 {
                assert_eq!(scenario.name, "fault-reasoning");
                for message in &mut talk.messages {
                    message.as_object_mut().unwrap().remove("reasoning_content");
                }
                continue;
            }
            let broken = !answer.complete || !answer.well_formed() || answer.finish().is_none();
            if answer.status != 200 || broken {
                client = Client::new(&simulator);
                continue;
            }
            let mut message = answer.message();
            if message["content"] == "" && message["tool_calls"].is_null() {
                continue;
            }
            for call in message["tool_calls"].as_array_mut().into_iter().flatten() {
                let arguments = &mut call["function"]["arguments"];
                let object = serde_json::from_str::<serde_json::Value>(arguments.as_str().unwrap())
                    .is_ok_and(|arguments| arguments.is_object());
                if !object {
                    *arguments = "{}".into();
                }
            }
            let done = message["tool_calls"].is_null();
            talk.reply(message, |_| json!({"path": "a"}).to_string());
            if done {
                break;
            }
        }
        let log = simulator.log();
        assert_eq!(log.violations, [], "{}", scenario.name);
        let last = log.requests.last().unwrap();
        assert_eq!(last.scenario, scenario.name);
    }
}
