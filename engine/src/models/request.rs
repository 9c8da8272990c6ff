//! The bytes of one request.
//!
//! Keys are sorted, so the messages come before all that differs from run to run and the beginning of a
//! request stays the same while the conversation grows. It knows the body's form and nothing of
//! connections.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;

use crate::protocol::ToolDescription;
use crate::support::json::canonical;

use super::catalog::{Provider, TEMPERATURE, TOP_P};
use super::conversation::Conversation;

/// The tool list of a run in the bytes it is sent as. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct EncodedTools(Bytes);

impl EncodedTools {
    /// In the given order.
    pub(super) fn new(tools: &[ToolDescription]) -> Self {
        if tools.is_empty() {
            // Servers refuse an empty list; the key is left out.
            return Self(Bytes::new());
        }
        let tools = tools
            .iter()
            .map(|tool| {
                serde_json::json!({
                    "function": {
                        "description": tool.description,
                        "name": tool.name,
                        "parameters": tool.input_schema,
                    },
                    "type": "function",
                })
            })
            .collect();
        Self(Bytes::from(canonical(&serde_json::Value::Array(tools))))
    }
}

/// What all requests of a client have in common.
#[derive(Debug)]
pub(super) struct Frame {
    /// Up to the first message.
    opening: String,
    /// Sorted keys after the messages, with their JSON; the tools are not among them.
    fields: Vec<(&'static str, String)>,
    thinking_off: Option<(&'static str, &'static str)>,
}

impl Frame {
    /// For one model at one provider.
    pub(super) fn new(provider: &Provider, model: &str) -> Self {
        let limit = provider
            .output_limit
            .map(|(field, tokens)| format!("\"{field}\":{tokens},"));
        let opening = format!("{{{}\"messages\":[", limit.unwrap_or_default());
        let mut fields = vec![
            ("model", serde_json::Value::from(model).to_string()),
            ("stream", "true".to_owned()),
            ("stream_options", r#"{"include_usage":true}"#.to_owned()),
        ];
        if provider.takes_sampling(model) {
            fields.push(("temperature", TEMPERATURE.to_owned()));
            fields.push(("top_p", TOP_P.to_owned()));
        }
        Self {
            opening,
            fields,
            thinking_off: provider.thinking_off,
        }
    }

    /// From the last message on.
    fn tail(&self, tools: &EncodedTools, plain: bool) -> Vec<u8> {
        let mut fields: Vec<(&str, &[u8])> = self
            .fields
            .iter()
            .map(|(key, json)| (*key, json.as_bytes()))
            .collect();
        if !tools.0.is_empty() {
            fields.push(("tools", &tools.0));
        }
        if let Some((key, json)) = self.thinking_off.filter(|_| plain) {
            fields.push((key, json.as_bytes()));
        }
        fields.sort_by_key(|(key, _)| *key);
        let mut tail = b"]".to_vec();
        for (key, json) in fields {
            tail.extend_from_slice(b",\"");
            tail.extend_from_slice(key.as_bytes());
            tail.extend_from_slice(b"\":");
            tail.extend_from_slice(json);
        }
        tail.push(b'}');
        tail
    }
}

/// One request.
#[derive(Debug)]
pub(super) struct Request {
    body: Bytes,
    plainer: Option<Plainer>,
}

/// How to send the same without reasoning.
#[derive(Debug)]
struct Plainer {
    messages: Range<usize>,
    /// Within the messages.
    reasoning: Vec<Range<usize>>,
    tail: Vec<u8>,
    switch: Arc<AtomicBool>,
}

impl Request {
    /// The next request of a conversation.
    pub(super) fn new(frame: &Frame, conversation: &Conversation, tools: &EncodedTools) -> Self {
        let plain = conversation.is_plain();
        let skipped = if plain { conversation.reasoning() } else { &[] };
        let opening = frame.opening.as_bytes();
        let tail = frame.tail(tools, plain);
        let body = compose(opening, conversation.bytes(), skipped, &tail);
        let can_be_plainer =
            !plain && (frame.thinking_off.is_some() || !conversation.reasoning().is_empty());
        let plainer = can_be_plainer.then(|| Plainer {
            messages: opening.len()..opening.len().saturating_add(conversation.bytes().len()),
            reasoning: conversation.reasoning().to_vec(),
            tail: frame.tail(tools, true),
            switch: conversation.plain_switch(),
        });
        Self { body, plainer }
    }

    /// Its bytes.
    pub(super) fn body(&self) -> Bytes {
        self.body.clone()
    }

    /// Leaves the reasoning out and switches thinking off, for this request and the conversation's
    /// later ones. False if that changes nothing.
    pub(super) fn make_plainer(&mut self) -> bool {
        let Some(plainer) = self.plainer.take() else {
            return false;
        };
        let opening = self.body.slice(..plainer.messages.start);
        let messages = self.body.slice(plainer.messages);
        self.body = compose(&opening, &messages, &plainer.reasoning, &plainer.tail);
        plainer.switch.store(true, Ordering::Relaxed);
        true
    }
}

fn compose(opening: &[u8], messages: &[u8], skipped: &[Range<usize>], tail: &[u8]) -> Bytes {
    let size = opening.len() + messages.len() + tail.len();
    let mut body = Vec::with_capacity(size);
    body.extend_from_slice(opening);
    let mut from = 0;
    for range in skipped {
        body.extend_from_slice(messages.get(from..range.start).unwrap_or_default());
        from = range.end;
    }
    body.extend_from_slice(messages.get(from..).unwrap_or_default());
    body.extend_from_slice(tail);
    Bytes::from(body)
}
