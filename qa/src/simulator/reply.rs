//! One reply: its texts and calls with all placeholders filled in, and the events that carry it.

use std::{
    collections::VecDeque,
    hash::{DefaultHasher, Hash, Hasher},
};

use serde_json::{Map, Value, json};
use wisp_engine::protocol::Usage;

use crate::scenario::{Chunk, Stream, Turn, Values, fill, fill_json, uses_results};

/// What every reply gives as its model: it is a simulation and says so.
pub const MODEL_NAME: &str = "wisp-scripted";

/// How many characters one event carries when the scenario doesn't say: a few words.
const PIECE_CHARS: usize = 48;
/// A token is about so many bytes, for figures that need only be plausible.
const BYTES_PER_TOKEN: usize = 4;
/// DeepSeek's cache works in units of so many tokens.
const CACHE_UNIT: u64 = 64;

/// One call of a reply.
#[derive(Clone, Debug)]
pub(super) struct ReplyCall {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: String,
}

/// A reply, ready to be sent.
#[derive(Clone, Debug, Default)]
pub(super) struct Reply {
    pub(super) reasoning: String,
    pub(super) text: String,
    pub(super) calls: Vec<ReplyCall>,
    pub(super) finish: String,
}

/// What is remembered of a reply, to compare it with what comes back.
#[derive(Clone, Debug)]
pub(super) struct Sent {
    /// Whether nothing was to go wrong with it.
    pub(super) whole: bool,
    /// Whether its calls run; those of a reply cut at its length don't.
    pub(super) runs_calls: bool,
    pub(super) text: Digest,
    pub(super) reasoning: Option<Digest>,
    /// The calls' ids and names.
    pub(super) calls: Vec<(String, String)>,
}

/// A text's length and hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Digest(usize, u64);

impl Digest {
    fn of(text: &str) -> Self {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        Self(text.len(), hasher.finish())
    }

    pub(super) fn is(self, text: &str) -> bool {
        self.0 == text.len() && self == Self::of(text)
    }
}

impl Reply {
    /// Makes a turn's reply. `id` is what its calls' ids begin with.
    pub(super) fn new(turn: &Turn, values: &Values<'_>, id: &str, thinking: bool) -> Self {
        let mut calls = Vec::new();
        for call in &turn.calls {
            for copy in 1..=call.copies {
                let values = Values { copy, ..*values };
                let arguments = match (&call.arguments, &call.arguments_raw) {
                    (Some(arguments), _) => fill_json(arguments, &values).to_string(),
                    (None, Some(raw)) => fill(raw, &values),
                    (None, None) => String::new(),
                };
                calls.push(ReplyCall {
                    id: format!("{id}{}", calls.len()),
                    name: call.name.clone(),
                    arguments,
                });
            }
        }
        let usual = if calls.is_empty() {
            "stop"
        } else {
            "tool_calls"
        };
        Self {
            reasoning: if thinking {
                fill(&turn.reasoning, values)
            } else {
                String::new()
            },
            text: fill(&turn.text, values),
            finish: turn.finish.clone().unwrap_or_else(|| usual.to_owned()),
            calls,
        }
    }

    /// A reply that says nothing.
    pub(super) fn empty() -> Self {
        Self {
            finish: "stop".to_owned(),
            ..Self::default()
        }
    }

    pub(super) fn sent(&self, whole: bool) -> Sent {
        Sent {
            whole,
            runs_calls: self.finish != "length",
            text: Digest::of(&self.text),
            reasoning: (!self.reasoning.is_empty()).then(|| Digest::of(&self.reasoning)),
            calls: self
                .calls
                .iter()
                .map(|call| (call.id.clone(), call.name.clone()))
                .collect(),
        }
    }

    /// Plausible figures for a prompt of `prompt` bytes, `former` of which were there before.
    pub(super) fn usage(&self, prompt: usize, former: usize) -> Usage {
        let tokens = |bytes: usize| bytes.div_ceil(BYTES_PER_TOKEN) as u64;
        let cached = tokens(former.min(prompt)) / CACHE_UNIT * CACHE_UNIT;
        let calls: usize = self
            .calls
            .iter()
            .map(|call| call.name.len() + call.arguments.len())
            .sum();
        let reasoning = tokens(self.reasoning.len());
        Usage {
            input: tokens(prompt).saturating_sub(cached),
            cached,
            output: reasoning + tokens(self.text.len() + calls),
            reasoning,
        }
    }

    /// The events that carry the reply, without those that end it. Each is JSON text.
    pub(super) fn events(&self, stream: &Stream) -> Vec<String> {
        let mut tracks: Vec<VecDeque<String>> = Vec::new();
        let text_track = |key: &str, text: &str| {
            pieces(text, stream)
                .map(|piece| delta(&format!(r#"{{"{key}":{}}}"#, quoted(piece))))
                .collect()
        };
        tracks.push(text_track("reasoning_content", &self.reasoning));
        tracks.push(text_track("content", &self.text));
        for (index, call) in self.calls.iter().enumerate() {
            let (id, name) = (quoted(&call.id), quoted(&call.name));
            let opening = delta(&format!(
                r#"{{"tool_calls":[{{"index":{index},"id":{id},"type":"function","function":{{"name":{name},"arguments":""}}}}]}}"#
            ));
            let arguments = pieces(&call.arguments, stream).map(|piece| {
                let piece = quoted(piece);
                delta(&format!(
                    r#"{{"tool_calls":[{{"index":{index},"function":{{"arguments":{piece}}}}}]}}"#
                ))
            });
            tracks.push(std::iter::once(opening).chain(arguments).collect());
        }
        let mut events = vec![delta(r#"{"role":"assistant","content":""}"#)];
        if stream.interleave {
            while tracks.iter().any(|track| !track.is_empty()) {
                events.extend(tracks.iter_mut().filter_map(VecDeque::pop_front));
            }
        } else {
            events.extend(tracks.into_iter().flatten());
        }
        events
    }

    /// The events that end it: the reason and the usage.
    pub(super) fn ending(&self, usage: Usage, reason: bool) -> Vec<String> {
        let mut events = Vec::new();
        if reason {
            let finish = quoted(&self.finish);
            events.push(chunk(&format!(
                r#"[{{"index":0,"delta":{{"content":""}},"logprobs":null,"finish_reason":{finish}}}],"usage":null"#
            )));
        }
        events.push(chunk(&format!(r#"[],"usage":{}"#, usage_json(usage))));
        events
    }

    /// The reply as one completion object.
    pub(super) fn completion(&self, usage: Usage) -> String {
        let calls: Vec<Value> = self
            .calls
            .iter()
            .map(|call| {
                json!({"id": call.id, "type": "function",
                    "function": {"name": call.name, "arguments": call.arguments}})
            })
            .collect();
        let mut message = Map::new();
        message.insert("role".to_owned(), "assistant".into());
        message.insert("content".to_owned(), self.text.clone().into());
        if !self.reasoning.is_empty() {
            message.insert(
                "reasoning_content".to_owned(),
                self.reasoning.clone().into(),
            );
        }
        if !calls.is_empty() {
            message.insert("tool_calls".to_owned(), calls.into());
        }
        json!({
            "id": MODEL_NAME, "object": "chat.completion", "created": 0, "model": MODEL_NAME,
            "choices": [{"index": 0, "message": message, "logprobs": null, "finish_reason": self.finish}],
            "usage": usage_json(usage),
        })
        .to_string()
    }
}

/// Whether a turn quotes results, so that they must be read from the request.
pub(super) fn quotes_results(turn: &Turn) -> bool {
    uses_results(&turn.text)
        || uses_results(&turn.reasoning)
        || turn.calls.iter().any(|call| {
            call.arguments_raw.as_deref().is_some_and(uses_results)
                || call
                    .arguments
                    .as_ref()
                    .is_some_and(|arguments| uses_results(&arguments.to_string()))
        })
}

fn chunk(choices: &str) -> String {
    format!(
        r#"{{"id":"{MODEL_NAME}","object":"chat.completion.chunk","created":0,"model":"{MODEL_NAME}","choices":{choices}}}"#
    )
}

fn delta(delta: &str) -> String {
    chunk(&format!(
        r#"[{{"index":0,"delta":{delta},"logprobs":null,"finish_reason":null}}],"usage":null"#
    ))
}

fn usage_json(usage: Usage) -> Value {
    let prompt = usage.input + usage.cached;
    json!({
        "prompt_tokens": prompt,
        "completion_tokens": usage.output,
        "total_tokens": prompt + usage.output,
        "prompt_tokens_details": {"cached_tokens": usage.cached},
        "prompt_cache_hit_tokens": usage.cached,
        "prompt_cache_miss_tokens": usage.input,
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning},
    })
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// Cuts a text into what single events carry.
fn pieces<'a>(text: &'a str, stream: &Stream) -> impl Iterator<Item = &'a str> {
    let words = stream.chunk == Chunk::Words && stream.piece.is_none();
    let chars = stream.piece.unwrap_or(PIECE_CHARS);
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = if words {
            rest.find(' ').map(|blank| blank + 1)
        } else {
            rest.char_indices().nth(chars).map(|(at, _)| at)
        };
        let (piece, behind) = rest.split_at_checked(end.unwrap_or(rest.len()))?;
        rest = behind;
        (!piece.is_empty()).then_some(piece)
    })
}
