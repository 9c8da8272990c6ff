//! A conversation in the bytes it is sent as.
//!
//! It grows only at its end and keeps every message as encoded once, so that each request begins with
//! all bytes of the one before up to its last message: a provider's prefix cache hits, and a long
//! conversation costs no more per round than a copy.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;
use serde_json::value::RawValue;

use crate::support::json::canonical;

use super::catalog::Provider;
use super::client::ModelClient;
use super::item::{AssistantTurn, HistoryItem, ModelCall, Reasoning};

/// How many characters of arguments that are no JSON object go back to the model (contract B1).
pub(super) const MAX_BROKEN_CHARS: usize = 500;
/// The longest name of a function that servers take: OpenAI's API reference.
const MAX_NAME_CHARS: usize = 64;

/// The messages so far.
#[derive(Debug)]
pub(crate) struct Conversation {
    provider: &'static Provider,
    bytes: Vec<u8>,
    /// Where in `bytes` reasoning stands, so that it can be left out.
    reasoning: Vec<Range<usize>>,
    items: usize,
    /// Set once the server refused the reasoning: from then on it is left out, as each further request
    /// would be refused too.
    plain: Arc<AtomicBool>,
}

impl Conversation {
    /// An empty one, encoded the way the client's provider wants it.
    pub(crate) fn new(client: &ModelClient) -> Self {
        Self::of(client.provider())
    }

    pub(super) fn of(provider: &'static Provider) -> Self {
        Self {
            provider,
            bytes: Vec::new(),
            reasoning: Vec::new(),
            items: 0,
            plain: Arc::new(AtomicBool::new(false)),
        }
    }

    /// Whether it is encoded the way the client's provider wants it, so that it can go on with that client.
    pub(crate) fn suits(&self, client: &ModelClient) -> bool {
        std::ptr::eq(self.provider, client.provider())
    }

    /// Adds a message at the end.
    pub(crate) fn push(&mut self, item: &HistoryItem) {
        if self.items > 0 {
            self.bytes.push(b',');
        }
        self.items = self.items.saturating_add(1);
        match item {
            HistoryItem::System { text } => self.plain_message("system", text),
            HistoryItem::User { text } => self.plain_message("user", text),
            HistoryItem::Assistant(turn) => self.turn(turn),
            HistoryItem::ToolResult { call, content } => {
                self.raw(r#"{"content":"#);
                self.text(content);
                self.raw(r#","role":"tool","tool_call_id":"#);
                self.text(call);
                self.raw("}");
            }
        }
    }

    /// The messages, without the brackets.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Where reasoning stands in them.
    pub(super) fn reasoning(&self) -> &[Range<usize>] {
        &self.reasoning
    }

    /// Whether reasoning is left out.
    pub(super) fn is_plain(&self) -> bool {
        self.plain.load(Ordering::Relaxed)
    }

    /// The switch that leaves it out from now on.
    pub(super) fn plain_switch(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.plain)
    }

    fn plain_message(&mut self, role: &str, text: &str) {
        self.raw(r#"{"content":"#);
        self.text(text);
        self.raw(r#","role":"#);
        self.text(role);
        self.raw("}");
    }

    fn turn(&mut self, turn: &AssistantTurn) {
        self.raw(r#"{"content":"#);
        if turn.text.is_empty() && !turn.calls.is_empty() {
            self.raw(self.provider.content_without_text);
        } else {
            self.text(&turn.text);
        }
        let start = self.bytes.len();
        let mut fields: Vec<_> = turn
            .reasoning
            .iter()
            .filter(|part| goes_back(part))
            .collect();
        fields.sort_by(|a, b| a.field.cmp(&b.field));
        fields.dedup_by(|a, b| a.field == b.field);
        for part in fields {
            self.raw(",");
            self.text(&part.field);
            self.raw(":");
            self.raw(&canonical(&part.value));
        }
        if self.bytes.len() > start {
            self.reasoning.push(start..self.bytes.len());
        }
        self.raw(r#","role":"assistant""#);
        for (place, call) in turn.calls.iter().enumerate() {
            self.raw(if place == 0 {
                r#","tool_calls":["#
            } else {
                ","
            });
            self.call(call);
        }
        self.raw(if turn.calls.is_empty() { "}" } else { "]}" });
    }

    fn call(&mut self, call: &ModelCall) {
        self.raw(r#"{"function":{"arguments":"#);
        if is_object(&call.arguments) {
            self.text(&call.arguments);
        } else {
            self.text(&marker(&call.arguments));
        }
        self.raw(r#","name":"#);
        self.text(&sendable_name(&call.name));
        self.raw(r#"},"id":"#);
        self.text(&call.id);
        self.raw(r#","type":"function"}"#);
    }

    fn raw(&mut self, json: &str) {
        self.bytes.extend_from_slice(json.as_bytes());
    }

    fn text(&mut self, text: &str) {
        // Text always has a JSON form and memory takes every byte, so this branch is for the compiler.
        if serde_json::to_writer(&mut self.bytes, text).is_err() {
            self.raw("\"\"");
        }
    }
}

/// Whether it is sent: not empty, and under a name that can be none of the message's own.
fn goes_back(part: &Reasoning) -> bool {
    let empty = match &part.value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    };
    !empty && part.field.starts_with("reasoning")
}

fn is_object(arguments: &str) -> bool {
    serde_json::from_str::<&RawValue>(arguments).is_ok_and(|raw| raw.get().starts_with('{'))
}

/// Servers parse the arguments that come back and refuse the whole request when they don't parse, so
/// what was no object goes back inside one.
fn marker(arguments: &str) -> String {
    let beginning: String = arguments.chars().take(MAX_BROKEN_CHARS).collect();
    canonical(&serde_json::json!({
        "invalid_arguments": beginning,
        "reason": "The arguments were not a JSON object.",
    }))
}

/// Servers refuse names with other characters, also in a call that was answered with "no such tool".
fn sendable_name(name: &str) -> String {
    let name: String = name
        .chars()
        .take(MAX_NAME_CHARS)
        .map(|c| {
            if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') {
                c
            } else {
                '_'
            }
        })
        .collect();
    if name.is_empty() {
        "unnamed".to_owned()
    } else {
        name
    }
}

#[cfg(test)]
mod tests;
