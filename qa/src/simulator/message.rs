//! The rules for one message of a request, given those before it.

use std::{
    collections::VecDeque,
    hash::{DefaultHasher, Hasher},
};

use serde::{Deserialize, de::IgnoredAny};
use serde_json::{Value, value::RawValue};

use super::{
    log::{Rule, Violation},
    reply::Sent,
};

/// What is known of a conversation up to one of its messages. It follows from the bytes alone.
#[derive(Clone, Debug, Default)]
pub(super) struct Track {
    /// A digest of all bytes so far, from the body's first one.
    pub(super) hash: DefaultHasher,
    /// How many bytes that is.
    pub(super) len: usize,
    /// How many messages.
    pub(super) messages: u32,
    /// The digest at the end of the first user message: which conversation it is.
    pub(super) start: u64,
    /// How many replies followed the last user message: which turn comes.
    pub(super) turn: u32,
    /// How many replies there are in all.
    pub(super) replies: u32,
    /// The last user message's text, as long as it is new.
    pub(super) asked: Option<String>,
    /// Whether a reply has made calls.
    pub(super) had_calls: bool,
    /// Whether a reply carries reasoning.
    pub(super) carries_reasoning: bool,
    /// Ids of the calls that wait for their answer.
    pending: VecDeque<String>,
    /// Who spoke last.
    last: Option<Role>,
    has_user: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    System,
    User,
    Assistant,
    Tool,
}

#[derive(Deserialize)]
struct Message<'a> {
    role: String,
    #[serde(borrow, default)]
    content: Option<&'a RawValue>,
    #[serde(default)]
    reasoning_content: Option<String>,
    #[serde(default)]
    tool_calls: Option<Vec<ToolCall>>,
    #[serde(default)]
    tool_call_id: Option<String>,
}

#[derive(Deserialize)]
struct ToolCall {
    id: String,
    r#type: String,
    function: Function,
}

#[derive(Deserialize)]
struct Function {
    name: String,
    arguments: String,
}

/// What a message is compared with.
pub(super) struct Before<'a> {
    /// What the simulator sent as the answer to all before this message, if it did.
    pub(super) sent: Option<&'a Sent>,
    /// Whether reasoning was refused in this conversation, so that it needn't come back.
    pub(super) reasoning_refused: bool,
}

impl Track {
    /// Takes the next message; `bytes` are all bytes since the last one, its own included.
    pub(super) fn message(
        &mut self,
        raw: &str,
        bytes: &str,
        before: &Before<'_>,
    ) -> Result<(), Violation> {
        let number = self.messages;
        let message: Message<'_> = serde_json::from_str(raw).map_err(|error| {
            Violation::new(
                Rule::Messages,
                format!("messages[{number}] isn't well formed: {error}"),
            )
        })?;
        let role = self.check_role(&message)?;
        if role != Role::Tool {
            self.check_pending(&format!("messages[{number}] follows"))?;
        }
        match role {
            Role::System => {}
            Role::User => {
                self.asked = Some(user_text(&message, number)?);
                self.turn = 0;
            }
            Role::Assistant => self.assistant(&message, before)?,
            Role::Tool => self.answer(&message)?,
        }
        self.hash.write(bytes.as_bytes());
        self.len += bytes.len();
        self.messages += 1;
        self.last = Some(role);
        if role == Role::User && !self.has_user {
            self.has_user = true;
            self.start = self.hash.finish();
        }
        Ok(())
    }

    /// Whether a model can answer now.
    pub(super) fn check_end(&self) -> Result<(), Violation> {
        self.check_pending("the request ends")?;
        let words = match self.last {
            None => "there are no messages",
            _ if !self.has_user => "there is no user message",
            Some(Role::Assistant) => "the last message is the model's own",
            Some(Role::System) => "the last message is a system message",
            Some(Role::User | Role::Tool) => return Ok(()),
        };
        Err(Violation::new(Rule::Messages, words))
    }

    fn check_role(&self, message: &Message<'_>) -> Result<Role, Violation> {
        let number = self.messages;
        let fail = |words: &str| {
            Err(Violation::new(
                Rule::Messages,
                format!("messages[{number}]: {words}"),
            ))
        };
        let role = match message.role.as_str() {
            "system" => Role::System,
            "user" => Role::User,
            "assistant" => Role::Assistant,
            "tool" => Role::Tool,
            other => return fail(&format!("\"{other}\" is no role")),
        };
        if role == Role::System && number > 0 {
            return fail("a system message comes first");
        }
        if role == Role::Assistant && !self.has_user {
            return fail("a reply comes after a user message");
        }
        if role != Role::Assistant && message.tool_calls.is_some() {
            return fail("only a reply makes calls");
        }
        if role != Role::Assistant && message.reasoning_content.is_some() {
            return fail("only a reply carries reasoning");
        }
        if role != Role::Tool && message.tool_call_id.is_some() {
            return fail("only a tool's answer has a tool_call_id");
        }
        if role != Role::Assistant && role != Role::User && !is_text(message.content) {
            return fail("the content is no text");
        }
        Ok(role)
    }

    fn check_pending(&self, when: &str) -> Result<(), Violation> {
        match self.pending.front() {
            None => Ok(()),
            Some(id) => Err(Violation::new(
                Rule::Answers,
                format!(
                    "{when} while {} calls have no answer, the first is {id}",
                    self.pending.len()
                ),
            )),
        }
    }

    fn answer(&mut self, message: &Message<'_>) -> Result<(), Violation> {
        let number = self.messages;
        let fail = |words: String| {
            Err(Violation::new(
                Rule::Answers,
                format!("messages[{number}]: {words}"),
            ))
        };
        let Some(id) = &message.tool_call_id else {
            return fail("a tool's answer names no call".to_owned());
        };
        match self.pending.pop_front() {
            Some(expected) if expected == *id => Ok(()),
            Some(expected) => fail(format!("answers {id} where {expected} comes next")),
            None => fail(format!("answers {id}, which waits for no answer")),
        }
    }

    fn assistant(&mut self, message: &Message<'_>, before: &Before<'_>) -> Result<(), Violation> {
        let number = self.messages;
        let fail =
            |rule, words: String| Err(Violation::new(rule, format!("messages[{number}]: {words}")));
        let calls = message.tool_calls.as_deref().unwrap_or_default();
        let text = match message.content {
            None => String::new(),
            Some(raw) => match serde_json::from_str::<String>(raw.get()) {
                Ok(text) => text,
                Err(_) => return fail(Rule::Messages, "the content is no text".to_owned()),
            },
        };
        if calls.is_empty() && (message.tool_calls.is_some() || text.is_empty()) {
            let words = "a reply has a text or calls, and no empty list of calls";
            return fail(Rule::Messages, words.to_owned());
        }
        for call in calls {
            if call.r#type != "function" || call.id.is_empty() || call.function.name.is_empty() {
                let words = "a call has an id, the type \"function\" and a name";
                return fail(Rule::Messages, words.to_owned());
            }
            if self.pending.contains(&call.id) {
                return fail(Rule::Messages, format!("two calls have the id {}", call.id));
            }
            if !is_object(&call.function.arguments) {
                return fail(
                    Rule::Arguments,
                    format!("the arguments of {} are no JSON object", call.id),
                );
            }
            self.pending.push_back(call.id.clone());
        }
        self.had_calls |= !calls.is_empty();
        self.turn += 1;
        self.replies += 1;
        self.asked = None;
        let reasoning = message.reasoning_content.as_deref();
        self.carries_reasoning |= reasoning.is_some();
        let Some(sent) = before.sent.filter(|sent| sent.whole) else {
            return Ok(());
        };
        let same_calls = calls
            .iter()
            .map(|call| (&call.id, &call.function.name))
            .eq(sent.calls.iter().map(|(id, name)| (id, name)));
        let same_text = sent.text.is(&text);
        if !calls.is_empty() && sent.runs_calls && !(same_calls && same_text) {
            return fail(
                Rule::History,
                "the reply isn't the one that was sent: other calls, or another text".to_owned(),
            );
        }
        // A reply that the user broke off may come back in part, its reasoning as well.
        if !(same_calls && same_text) {
            return Ok(());
        }
        match (reasoning, &sent.reasoning) {
            (Some(_), None) => fail(
                Rule::Reasoning,
                "reasoning_content comes back though none was sent".to_owned(),
            ),
            (Some(text), Some(sent)) if !sent.is(text) => fail(
                Rule::Reasoning,
                "reasoning_content isn't the one that was sent".to_owned(),
            ),
            (None, Some(_)) if self.had_calls && !before.reasoning_refused => fail(
                Rule::Reasoning,
                "reasoning_content is missing: it must come back once a reply has made calls"
                    .to_owned(),
            ),
            _ => Ok(()),
        }
    }
}

fn user_text(message: &Message<'_>, number: u32) -> Result<String, Violation> {
    let text = message
        .content
        .and_then(|raw| serde_json::from_str::<Value>(raw.get()).ok())
        .and_then(|content| match content {
            Value::String(text) => Some(text),
            Value::Array(parts) => Some(
                parts
                    .iter()
                    .filter_map(|part| part.get("text")?.as_str())
                    .collect::<Vec<_>>()
                    .join("\n"),
            ),
            _ => None,
        });
    text.ok_or_else(|| {
        Violation::new(
            Rule::Messages,
            format!("messages[{number}]: a user message has a text or a list of parts"),
        )
    })
}

fn is_text(content: Option<&RawValue>) -> bool {
    content.is_some_and(|raw| raw.get().starts_with('"'))
}

fn is_object(arguments: &str) -> bool {
    arguments.trim_start().starts_with('{') && serde_json::from_str::<IgnoredAny>(arguments).is_ok()
}
