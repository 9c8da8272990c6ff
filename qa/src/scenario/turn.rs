//! One reply of the scripted model, and how it is sent.

use serde::Deserialize;
use serde_json::Value;
use wisp_engine::protocol::Usage;

/// One reply. In its texts and arguments `{{round}}` stands for the round of a repetition,
/// `{{round+9}}` for a sum, `{{copy}}` for the copy of a call, `{{result.0.path}}` for what the first
/// of the last batch's tools gave back under `path` (`length` counts a list), `{{tags}}` for a list of all
/// tags, `{{server}}` for the address of the server, which has pages of its own. Of several, as in `{{result.0.path|result.0.error.kind}}`, the first that has a value counts.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Turn {
    /// What the model thinks.
    pub reasoning: String,
    /// What it says.
    pub text: String,
    /// The calls it makes.
    pub calls: Vec<Call>,
    /// Why it ends; by default `tool_calls` with calls and `stop` without.
    pub finish: Option<String>,
    /// What it cost; what is missing is made up plausibly.
    pub usage: TurnUsage,
    /// How often this turn is played before the next.
    pub repeat: Repeat,
    /// How it is sent.
    pub stream: Stream,
    /// Where it stops until a test lets it go on.
    pub hold: Hold,
    /// What goes wrong first.
    pub fault: Option<Fault>,
}

/// One call of a reply.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// The tool's name.
    pub name: String,
    /// Its arguments. A text that is nothing but `{{=round}}` becomes the value itself, here a number.
    pub arguments: Option<Value>,
    /// The arguments as text that needn't be JSON; instead of `arguments`.
    pub arguments_raw: Option<String>,
    /// How often the call stands in the reply; `{{copy}}` counts from 1.
    #[serde(default = "one")]
    pub copies: u32,
}

/// Figures that the server reports instead of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TurnUsage {
    /// Prompt tokens that were read anew.
    pub input: Option<u64>,
    /// Prompt tokens out of the cache.
    pub cached: Option<u64>,
    /// Tokens written, reasoning included.
    pub output: Option<u64>,
    /// How many of them were reasoning.
    pub reasoning: Option<u64>,
}

impl TurnUsage {
    /// These figures, and those of `plausible` where one is missing.
    pub(crate) fn or(self, plausible: Usage) -> Usage {
        Usage {
            input: self.input.unwrap_or(plausible.input),
            cached: self.cached.unwrap_or(plausible.cached),
            output: self.output.unwrap_or(plausible.output),
            reasoning: self.reasoning.unwrap_or(plausible.reasoning),
        }
    }
}

/// How often a turn is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "RepeatFile")]
pub enum Repeat {
    /// So often.
    Times(u32),
    /// As often as the number in the tag says; written `"N"`.
    Tag,
    /// Without end; written `"forever"`.
    Forever,
}

impl Default for Repeat {
    fn default() -> Self {
        Self::Times(1)
    }
}

impl Repeat {
    pub(crate) fn count(self, rounds: u32) -> u32 {
        match self {
            Self::Times(times) => times,
            Self::Tag => rounds,
            Self::Forever => u32::MAX,
        }
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum RepeatFile {
    Number(u32),
    Word(String),
}

impl TryFrom<RepeatFile> for Repeat {
    type Error = String;

    fn try_from(file: RepeatFile) -> Result<Self, String> {
        match file {
            RepeatFile::Number(0) => Err("a turn is played at least once".to_owned()),
            RepeatFile::Number(times) => Ok(Self::Times(times)),
            RepeatFile::Word(word) if word == "N" => Ok(Self::Tag),
            RepeatFile::Word(word) if word == "forever" => Ok(Self::Forever),
            RepeatFile::Word(word) => Err(format!(
                "repeat is a number, \"N\" or \"forever\", not \"{word}\""
            )),
        }
    }
}

/// How the reply's stream is cut into pieces.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each field is one key of a scenario's file, on or off"
)]
pub struct Stream {
    /// What one HTTP chunk holds.
    pub chunk: Chunk,
    /// How many characters of text or arguments one event carries; by default a few words.
    pub piece: Option<usize>,
    /// Whether pieces of reasoning, text and all calls alternate.
    pub interleave: bool,
    /// How long the server waits between two chunks, in milliseconds.
    pub pace_millis: u64,
    /// Whether a comment stands before each event.
    pub keepalive_comments: bool,
    /// Whether lines end with CR LF.
    pub crlf: bool,
    /// Whether the reply comes as one completion object instead of a stream.
    pub single_piece: bool,
}

/// What one HTTP chunk holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum Chunk {
    /// One event, whose text is a few words; written `"events"`.
    #[default]
    Events,
    /// One event, whose text is one word; written `"words"`.
    Words,
    /// So many bytes, wherever that cuts; written `"bytes-7"`.
    Bytes(usize),
    /// The whole stream; written `"whole"`.
    Whole,
}

impl TryFrom<String> for Chunk {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        match word.as_str() {
            "events" => return Ok(Self::Events),
            "words" => return Ok(Self::Words),
            "whole" => return Ok(Self::Whole),
            _ => {}
        }
        word.strip_prefix("bytes-")
            .and_then(|number| number.parse().ok())
            .filter(|number| *number > 0)
            .map(Self::Bytes)
            .ok_or_else(|| {
                format!("chunk is \"events\", \"words\", \"whole\" or \"bytes-N\", not \"{word}\"")
            })
    }
}

/// Points at which the stream stops until a test releases them. Each is a name of the test's choice.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Hold {
    /// Before the answer's head.
    pub before: Option<String>,
    /// After the head, before the first event.
    pub start: Option<String>,
    /// After half of the reply's pieces, and after one at least.
    pub mid: Option<String>,
    /// After the whole reply, before the event that ends it.
    pub after: Option<String>,
}

/// What goes wrong instead of the normal reply. `status` stands alone; the others say how a reply
/// that began goes on.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each field is one key of a scenario's file, on or off"
)]
pub struct Fault {
    /// On how many tries of this turn: a number or `"always"`. The next try gets the normal reply.
    pub times: Times,
    /// The answer's status, which may be 200.
    pub status: Option<u16>,
    /// The answer's body, with `status`; by default an error object that says it is scripted.
    pub body: Option<String>,
    /// The answer's `Retry-After` in seconds, with `status`.
    pub retry_after: Option<u64>,
    /// Whether the body is declared as HTML, with `status`.
    pub html: bool,
    /// The connection is cut after so many events.
    pub cut_events: Option<usize>,
    /// The connection is cut after so many bytes of the stream.
    pub cut_bytes: Option<usize>,
    /// An event that is no JSON comes after so many events.
    pub malformed_after: Option<usize>,
    /// An error object comes after so many events, and ends the stream.
    pub error_after: Option<usize>,
    /// The type of that error object.
    pub error_type: Option<String>,
    /// Nothing comes but comments, until the client leaves.
    pub comments_only: bool,
    /// A reply with neither text nor calls.
    pub empty: bool,
    /// The stream ends without `[DONE]`.
    pub no_done: bool,
    /// The stream ends without a finish reason.
    pub no_finish: bool,
}

impl Fault {
    /// Whether it strikes the try with this number, counted from 1.
    pub(crate) fn strikes(&self, attempt: u32) -> bool {
        match self.times {
            Times::Number(times) => attempt <= times,
            Times::Always => true,
        }
    }

    /// Whether anything is wrong with it at all.
    pub(crate) fn does_something(&self) -> bool {
        self.status.is_some() || self.spoils_stream()
    }

    /// Whether it needs a reply that began.
    pub(crate) fn spoils_stream(&self) -> bool {
        self.cut_events.is_some()
            || self.cut_bytes.is_some()
            || self.malformed_after.is_some()
            || self.error_after.is_some()
            || self.comments_only
            || self.empty
            || self.no_done
            || self.no_finish
    }
}

/// On how many tries a fault strikes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "TimesFile")]
pub enum Times {
    /// On the first so many.
    Number(u32),
    /// On each; written `"always"`.
    Always,
}

impl Default for Times {
    fn default() -> Self {
        Self::Number(1)
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum TimesFile {
    Number(u32),
    Word(String),
}

impl TryFrom<TimesFile> for Times {
    type Error = String;

    fn try_from(file: TimesFile) -> Result<Self, String> {
        match file {
            TimesFile::Number(times) => Ok(Self::Number(times)),
            TimesFile::Word(word) if word == "always" => Ok(Self::Always),
            TimesFile::Word(word) => {
                Err(format!("times is a number or \"always\", not \"{word}\""))
            }
        }
    }
}

fn one() -> u32 {
    1
}
