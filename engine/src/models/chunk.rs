//! The JSON of one frame.
//!
//! It reads only what the assembler needs and takes each field in whatever type it comes, as servers
//! differ: a `null` for an absent text, an object for arguments, a number for a code. It borrows from
//! the frame, so that a token costs no more than the copy into the reply.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

/// One frame of a stream, or one whole completion.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Chunk<'a> {
    #[serde(borrow)]
    choices: Option<Vec<Choice<'a>>>,
    #[serde(borrow)]
    pub(super) usage: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    #[serde(borrow)]
    object: Option<&'a RawValue>,
    #[serde(rename = "type", borrow)]
    kind: Option<&'a RawValue>,
}

/// One of the alternatives; only the first is asked for.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Choice<'a> {
    #[serde(borrow)]
    index: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) delta: Option<Delta<'a>>,
    #[serde(borrow)]
    pub(super) message: Option<Delta<'a>>,
    #[serde(borrow)]
    finish_reason: Option<&'a RawValue>,
}

/// What is new.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Delta<'a> {
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    refusal: Option<&'a RawValue>,
    #[serde(borrow)]
    reasoning_content: Option<&'a RawValue>,
    #[serde(borrow)]
    reasoning: Option<&'a RawValue>,
    #[serde(borrow)]
    reasoning_details: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) tool_calls: Option<Vec<Fragment<'a>>>,
}

/// A piece of a call.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Fragment<'a> {
    #[serde(borrow)]
    index: Option<&'a RawValue>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    function: Option<Function<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Function<'a> {
    #[serde(borrow)]
    name: Option<&'a RawValue>,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
}

/// Why a frame says nothing.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unread {
    /// It is JSON, but of no shape that is known here.
    Foreign,
    /// It is no JSON.
    NoJson,
}

impl<'a> Chunk<'a> {
    /// Reads a frame.
    pub(super) fn read(data: &'a str) -> Result<Self, Unread> {
        serde_json::from_str(data).map_err(|_| match serde_json::from_str::<IgnoredAny>(data) {
            Ok(_) => Unread::Foreign,
            Err(_) => Unread::NoJson,
        })
    }

    /// The first alternative.
    pub(super) fn choice(&self) -> Option<&Choice<'a>> {
        self.choices
            .iter()
            .flatten()
            .find(|choice| number(choice.index).unwrap_or(0) == 0)
    }

    /// Whether there is a list of alternatives at all.
    pub(super) fn has_choices(&self) -> bool {
        self.choices.is_some()
    }

    /// Whether it reports an error instead.
    pub(super) fn is_error(&self) -> bool {
        self.error.is_some_and(|error| error.get() != "false")
            || text(self.object).is_some_and(|word| word == "error")
            || text(self.kind).is_some_and(|word| word == "error")
    }
}

impl Choice<'_> {
    /// Why the model stopped, once it has.
    pub(super) fn finish_reason(&self) -> Option<Cow<'_, str>> {
        text(self.finish_reason).filter(|reason| !reason.is_empty())
    }
}

impl<'a> Delta<'a> {
    /// Text for the user, a refusal included.
    pub(super) fn text(&self) -> impl Iterator<Item = Cow<'a, str>> {
        [self.content, self.refusal]
            .into_iter()
            .flatten()
            .filter_map(content_text)
            .filter(|text| !text.is_empty())
    }

    /// Reasoning by the name of its field, raw.
    pub(super) fn reasoning(&self) -> impl Iterator<Item = (&'static str, &'a RawValue)> {
        [
            ("reasoning_content", self.reasoning_content),
            ("reasoning", self.reasoning),
            ("reasoning_details", self.reasoning_details),
        ]
        .into_iter()
        .filter_map(|(name, raw)| Some((name, raw?)))
    }
}

impl<'a> Fragment<'a> {
    /// Which call it belongs to, where the server counts them.
    pub(super) fn index(&self) -> Option<u64> {
        number(self.index)
    }

    /// The call's id; empty ones are none.
    pub(super) fn id(&self) -> Option<Cow<'a, str>> {
        scalar(self.id?).filter(|id| !id.is_empty())
    }

    /// The tool's name; empty ones are none.
    pub(super) fn name(&self) -> Option<Cow<'a, str>> {
        text(self.function.as_ref()?.name).filter(|name| !name.is_empty())
    }

    /// How much it adds to a reply.
    pub(super) fn bytes(&self) -> usize {
        [self.id(), self.name(), self.arguments()]
            .into_iter()
            .flatten()
            .map(|text| text.len())
            .sum()
    }

    /// A piece of the arguments: text as it is, an object as its JSON.
    pub(super) fn arguments(&self) -> Option<Cow<'a, str>> {
        let raw = self.function.as_ref()?.arguments?;
        let piece = text(Some(raw)).unwrap_or(Cow::Borrowed(raw.get()));
        (!piece.is_empty()).then_some(piece)
    }
}

/// A JSON text, decoded; borrowed when it has no escapes.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// The value if it is a text.
pub(super) fn text(raw: Option<&RawValue>) -> Option<Cow<'_, str>> {
    serde_json::from_str::<Text<'_>>(raw?.get())
        .ok()
        .map(|text| text.0)
}

/// The value as text, if it is a text or a number.
fn scalar(raw: &RawValue) -> Option<Cow<'_, str>> {
    text(Some(raw)).or_else(|| {
        raw.get()
            .starts_with(|first: char| first.is_ascii_digit() || first == '-')
            .then(|| Cow::Borrowed(raw.get()))
    })
}

/// The value if it is a whole number, also one in quotes.
fn number(raw: Option<&RawValue>) -> Option<u64> {
    scalar(raw?)?.parse().ok()
}

/// Content is a text, or a list of parts with texts.
fn content_text(raw: &RawValue) -> Option<Cow<'_, str>> {
    #[derive(Deserialize)]
    struct Part<'a> {
        #[serde(borrow)]
        text: Option<&'a RawValue>,
    }
    if raw.get().starts_with('[') {
        let parts: Vec<Part<'_>> = serde_json::from_str(raw.get()).ok()?;
        let joined: String = parts.iter().filter_map(|part| text(part.text)).collect();
        return Some(Cow::Owned(joined));
    }
    text(Some(raw))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_text(data: &str) -> String {
        let chunk = Chunk::read(data).unwrap();
        let choice = chunk.choice().unwrap();
        choice.delta.as_ref().unwrap().text().collect()
    }

    #[test]
    fn text_comes_in_every_shape() {
        for (content, expected) in [
            (r#""a\n\u00e9""#, "a\né"),
            ("null", ""),
            (
                r#"[{"type":"text","text":"a"},{"type":"text","text":"b"},{"type":"image"}]"#,
                "ab",
            ),
            ("7", ""),
        ] {
            let data = format!(r#"{{"choices":[{{"delta":{{"content":{content}}}}}]}}"#);
            assert_eq!(first_text(&data), expected, "{content}");
        }
    }

    #[test]
    fn only_the_first_alternative_counts() {
        let data = r#"{"choices":[{"index":1,"delta":{"content":"b"}},{"index":0,"delta":{"content":"a"}}]}"#;
        assert_eq!(first_text(data), "a");
    }

    #[test]
    fn fragments_take_odd_types() {
        let data = r#"{"choices":[{"delta":{"tool_calls":[
            {"index":"2","id":7,"function":{"name":"n","arguments":{"a":1}}},
            {"index":null,"id":null,"function":{"name":null,"arguments":null}},{"id":""}]}}]}"#;
        let chunk = Chunk::read(data).unwrap();
        let delta = chunk.choice().unwrap().delta.as_ref().unwrap();
        let calls = delta.tool_calls.as_ref().unwrap();
        assert_eq!(calls[0].index(), Some(2));
        assert_eq!(calls[0].id().unwrap(), "7");
        assert_eq!(calls[0].arguments().unwrap(), r#"{"a":1}"#);
        for empty in &calls[1..] {
            assert!(empty.index().is_none() && empty.id().is_none());
            assert!(empty.name().is_none() && empty.arguments().is_none());
        }
    }

    #[test]
    fn no_json_is_told_from_foreign_json() {
        assert_eq!(Chunk::read("{\"a\":").err(), Some(Unread::NoJson));
        assert_eq!(Chunk::read("hello").err(), Some(Unread::NoJson));
        assert_eq!(Chunk::read("[1]").map(|_| ()).err(), Some(Unread::Foreign));
        assert_eq!(Chunk::read("\"x\"").err(), Some(Unread::Foreign));
    }

    #[test]
    fn errors_are_seen_in_their_shapes() {
        for (data, error) in [
            (r#"{"error":{"message":"m"}}"#, true),
            (r#"{"error":"m"}"#, true),
            (r#"{"object":"error","message":"m"}"#, true),
            (r#"{"type":"error"}"#, true),
            (r#"{"error":null,"choices":[]}"#, false),
            (r#"{"error":false}"#, false),
            (r#"{"object":"chat.completion.chunk"}"#, false),
        ] {
            assert_eq!(Chunk::read(data).unwrap().is_error(), error, "{data}");
        }
    }
}
