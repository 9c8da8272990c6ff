//! Joins the frames of a reply into one.
//!
//! Pure: it is given the data of each frame in turn, tells what became known by it, and in the end gives
//! the whole reply. The result depends on the frames alone, not on how the network cut them. It knows
//! nothing of connections, retries or time.

use serde_json::Value;
use serde_json::value::RawValue;

use crate::protocol::Usage;

use super::calls::Calls;
use super::chunk::{self, Chunk, Delta, Unread};
use super::event::{Finish, ModelEvent, Reply};
use super::item::{AssistantTurn, Reasoning};
use super::server_error::ServerError;
use super::usage;

/// The most bytes of text, reasoning and calls in one reply, 64 MiB: above what any model writes.
pub(super) const MAX_REPLY_BYTES: usize = 8 * 1024 * 1024;
/// The data that ends a stream.
const DONE: &str = "[DONE]";

/// What a frame was.
#[derive(Debug, PartialEq)]
pub(super) enum Fed {
    /// Nothing that counts.
    Nothing,
    /// Text, reasoning, a piece of a call or the reason of the end.
    Output,
    /// The end. What follows doesn't count.
    Done,
    /// An error of the server's.
    Error(ServerError),
    /// No JSON.
    NoJson,
    /// The reply passed the limit of its bytes.
    TooLarge,
    /// The reply passed the limit of its calls.
    TooManyCalls,
}

/// What a reply came to.
#[derive(Debug, PartialEq)]
pub(super) enum Ending {
    /// A reply.
    Reply(Reply),
    /// Neither text nor calls.
    Empty(Usage),
    /// The same, because the output limit was spent before.
    CutEmpty,
    /// The provider's filter ended it.
    Filtered,
    /// The provider ran out of resources.
    Exhausted,
}

/// A reply in the making.
#[derive(Debug)]
pub(super) struct Assembler {
    seed: String,
    text: String,
    /// Whether the text has more than blanks. Until then none of it is told: some models write blank
    /// lines before a call.
    visible: bool,
    calls: Calls,
    reasoning: Vec<(&'static str, Gathered)>,
    /// Whether the last thing that came was reasoning.
    thinking: bool,
    usage: Option<Usage>,
    finish: Option<String>,
    started: bool,
    bytes: usize,
    events: Vec<ModelEvent>,
    /// Bytes of text in `events`.
    untold: usize,
}

/// Reasoning of one field.
#[derive(Debug)]
enum Gathered {
    Text(String),
    Items(Vec<Value>),
}

impl Assembler {
    /// An empty one. `seed` makes the ids that are made up differ from those of other replies.
    pub(super) fn new(seed: impl Into<String>) -> Self {
        Self {
            seed: seed.into(),
            text: String::new(),
            visible: false,
            calls: Calls::default(),
            reasoning: Vec::new(),
            thinking: false,
            usage: None,
            finish: None,
            started: false,
            bytes: 0,
            events: Vec::new(),
            untold: 0,
        }
    }

    /// Takes the data of one frame, or one whole completion.
    pub(super) fn feed(&mut self, data: &str) -> Fed {
        if data.trim() == DONE {
            return Fed::Done;
        }
        let chunk = match Chunk::read(data) {
            Ok(chunk) => chunk,
            Err(Unread::Foreign) => return Fed::Nothing,
            Err(Unread::NoJson) => return Fed::NoJson,
        };
        if chunk.is_error() {
            return Fed::Error(ServerError::read(data, None));
        }
        if let Some(usage) = chunk.usage.and_then(|raw| usage::read(raw.get())) {
            self.usage = Some(usage);
        }
        let Some(choice) = chunk.choice() else {
            return Fed::Nothing;
        };
        let mut output = false;
        if let Some(delta) = &choice.delta {
            output |= self.add(delta, false);
        } else if let Some(message) = &choice.message
            && !self.started
        {
            // A whole message: alone in a completion. Some servers repeat it after its pieces.
            output |= self.add(message, true);
        }
        if let Some(reason) = choice.finish_reason() {
            self.finish = Some(reason.into_owned());
            output = true;
        }
        if self.bytes > MAX_REPLY_BYTES {
            return Fed::TooLarge;
        }
        if self.calls.are_too_many() {
            return Fed::TooManyCalls;
        }
        if output { Fed::Output } else { Fed::Nothing }
    }

    fn add(&mut self, delta: &Delta<'_>, whole: bool) -> bool {
        let mut output = false;
        for (field, raw) in delta.reasoning() {
            output |= self.add_reasoning(field, raw);
        }
        for piece in delta.text() {
            self.bytes = self.bytes.saturating_add(piece.len());
            self.add_text(&piece);
            output = true;
        }
        let mut announced = Vec::new();
        for (place, piece) in delta.tool_calls.iter().flatten().enumerate() {
            // Each entry of a whole message is a call of its own, whatever it is numbered.
            let index = if whole {
                u64::try_from(place).ok()
            } else {
                piece.index()
            };
            self.bytes = self.bytes.saturating_add(piece.bytes());
            output |= self.calls.add(piece, index, &mut announced);
            if self.calls.are_too_many() {
                break;
            }
        }
        self.tell_calls(announced);
        self.started |= output;
        output
    }

    fn add_text(&mut self, piece: &str) {
        self.text.push_str(piece);
        let news = match (self.visible, piece.trim().is_empty()) {
            (true, _) => piece,
            (false, true) => return,
            (false, false) => self.text.as_str(),
        };
        self.visible = true;
        self.thinking = false;
        self.untold = self.untold.saturating_add(news.len());
        if let Some(ModelEvent::Text(last)) = self.events.last_mut() {
            last.push_str(news);
        } else {
            self.events.push(ModelEvent::Text(news.to_owned()));
        }
    }

    fn add_reasoning(&mut self, field: &'static str, raw: &RawValue) -> bool {
        let at = self.reasoning.iter().position(|(name, _)| *name == field);
        let known = at
            .and_then(|at| self.reasoning.get_mut(at))
            .map(|(_, all)| all);
        if let Some(text) = chunk::text(Some(raw)) {
            if text.is_empty() {
                return false;
            }
            match known {
                Some(Gathered::Text(all)) => all.push_str(&text),
                Some(Gathered::Items(all)) => all.push(Value::from(text.as_ref())),
                None => self
                    .reasoning
                    .push((field, Gathered::Text(text.into_owned()))),
            }
        } else {
            let items = match serde_json::from_str(raw.get()) {
                Ok(Value::Array(items)) if !items.is_empty() => items,
                Ok(item @ Value::Object(_)) => vec![item],
                _ => return false,
            };
            match known {
                Some(Gathered::Items(all)) => all.extend(items),
                // Text and items under one name: the text came first and stays.
                Some(Gathered::Text(_)) => return false,
                None => self.reasoning.push((field, Gathered::Items(items))),
            }
        }
        self.bytes = self.bytes.saturating_add(raw.get().len());
        if !self.thinking {
            self.thinking = true;
            self.events.push(ModelEvent::ReasoningActive);
        }
        true
    }

    fn tell_calls(&mut self, announced: Vec<String>) {
        for tool in announced {
            self.thinking = false;
            self.events.push(ModelEvent::CallAnnounced { tool });
        }
    }

    /// What became known since the last time.
    pub(super) fn take_events(&mut self) -> Vec<ModelEvent> {
        self.untold = 0;
        std::mem::take(&mut self.events)
    }

    /// How many bytes of text wait to be told.
    pub(super) fn untold_bytes(&self) -> usize {
        self.untold
    }

    /// Whether text, reasoning or a call has come.
    pub(super) fn has_started(&self) -> bool {
        self.started
    }

    /// Whether reasoning is what came last.
    pub(super) fn is_thinking(&self) -> bool {
        self.thinking
    }

    /// Whether the server gave the reason of the end.
    pub(super) fn has_finish(&self) -> bool {
        self.finish.is_some()
    }

    /// The text so far, as it was told.
    pub(super) fn shown(&self) -> &str {
        if self.visible { &self.text } else { "" }
    }

    /// Tells the calls that nothing followed, so that each call was told once. Before [`Self::finish`].
    pub(super) fn announce_rest(&mut self) {
        let mut announced = Vec::new();
        self.calls.announce(&mut announced);
        self.tell_calls(announced);
    }

    /// The whole reply. `output_limit` is the limit the request set, if any.
    pub(super) fn finish(self, output_limit: Option<u64>) -> Ending {
        let usage = self.usage.unwrap_or_default();
        let shown = if self.visible {
            self.text
        } else {
            String::new()
        };
        let calls = self.calls.finish(&self.seed);
        let finish = match self.finish.as_deref() {
            Some("content_filter") => return Ending::Filtered,
            Some("insufficient_system_resource") => return Ending::Exhausted,
            Some("length" | "max_tokens") => Finish::Length,
            None if output_limit.is_some_and(|limit| usage.output >= limit) => Finish::Length,
            None | Some("stop" | "end_turn" | "tool_calls" | "tool_use" | "function_call")
                if !calls.is_empty() =>
            {
                Finish::Calls
            }
            Some("stop" | "end_turn" | "tool_calls" | "tool_use" | "function_call") => Finish::Stop,
            other => Finish::Unknown(other.unwrap_or_default().to_owned()),
        };
        if shown.is_empty() && calls.is_empty() {
            return match finish {
                Finish::Length => Ending::CutEmpty,
                _ => Ending::Empty(usage),
            };
        }
        let reasoning = self
            .reasoning
            .into_iter()
            .map(|(field, gathered)| Reasoning {
                field: field.to_owned(),
                value: match gathered {
                    Gathered::Text(text) => Value::from(text),
                    Gathered::Items(items) => Value::from(items),
                },
            })
            .collect();
        Ending::Reply(Reply {
            turn: AssistantTurn {
                text: shown,
                calls,
                reasoning,
            },
            usage,
            finish,
        })
    }
}

#[cfg(test)]
mod tests;
