//! Reading a scenario from its file's text, with words that say what is wrong and where.

use super::{Chunk, Outcome, Scenario, find_tag};
use crate::workspace;

/// Why a text is no scenario.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct ScenarioError {
    /// The line it is about, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

/// The most copies of one call in a reply: a reply is built in memory.
const MAX_COPIES: u32 = 1_000;

impl Scenario {
    /// Reads a scenario.
    pub fn parse(text: &str) -> Result<Self, ScenarioError> {
        let scenario: Self = toml::from_str(text).map_err(|error| ScenarioError {
            line: line_of(text, error.span().map_or(0, |span| span.start)),
            message: error.message().to_owned(),
        })?;
        scenario.validate(text)?;
        Ok(scenario)
    }

    fn validate(&self, text: &str) -> Result<(), ScenarioError> {
        let top = |key: &str, message: String| {
            Err(ScenarioError {
                line: line_starting(text, key, 0),
                message,
            })
        };
        if self.name.is_empty() || self.name.contains(['/', '\\', '.']) {
            return top("name", "the name is the file's name without .toml".into());
        }
        if let Some(tag) = &self.tag {
            if !tag.starts_with('[') || !tag.ends_with(']') || tag.len() < 3 {
                return top(
                    "tag",
                    format!("a tag is written in brackets, unlike \"{tag}\""),
                );
            }
            if find_tag(&self.prompt, tag).is_none() {
                return top(
                    "prompt",
                    format!("the prompt doesn't contain the tag {tag}"),
                );
            }
        }
        if self.max_steps == Some(0) {
            return top("max_steps", "a run has at least one step".into());
        }
        if let Some(files) = &self.workspace
            && let Err(error) = workspace::parse(files)
        {
            return top("workspace", error.to_string());
        }
        if self.turns.is_empty() {
            return top("name", "a scenario has at least one turn".into());
        }
        self.validate_turns(text)?;
        self.validate_expectations(text)
    }

    fn validate_turns(&self, text: &str) -> Result<(), ScenarioError> {
        for (number, turn) in self.turns.iter().enumerate() {
            let fail = |message: &str| {
                Err(ScenarioError {
                    line: line_starting(text, "[[turns]]", number),
                    message: format!("turn {}: {message}", number + 1),
                })
            };
            if turn.text.is_empty() && turn.calls.is_empty() {
                return fail("a reply has a text or calls");
            }
            for call in &turn.calls {
                if call.name.is_empty() {
                    return fail("a call has a name");
                }
                if call.arguments.is_some() == call.arguments_raw.is_some() {
                    return fail("a call has either arguments or arguments_raw");
                }
                if !(1..=MAX_COPIES).contains(&call.copies) {
                    return fail("a call has 1 to 1000 copies");
                }
            }
            let stream = &turn.stream;
            if stream.piece == Some(0) {
                return fail("a piece has at least one character");
            }
            if stream.single_piece && stream.chunk != Chunk::default() {
                return fail("a reply in a single piece has no chunks");
            }
            if let Some(fault) = &turn.fault {
                if !fault.does_something() {
                    return fail("the fault does nothing");
                }
                if fault.status.is_some() && fault.spoils_stream() {
                    return fail("a fault with a status has no stream to spoil");
                }
                let needs_status =
                    fault.body.is_some() || fault.retry_after.is_some() || fault.html;
                if fault.status.is_none() && needs_status {
                    return fail("body, retry_after and html go with a status");
                }
                if fault.status.is_some_and(|code| !(200..600).contains(&code)) {
                    return fail("a status is a number from 200 to 599");
                }
            }
        }
        Ok(())
    }

    fn validate_expectations(&self, text: &str) -> Result<(), ScenarioError> {
        let fail = |message: &str| {
            Err(ScenarioError {
                line: line_starting(text, "[expect]", 0),
                message: message.to_owned(),
            })
        };
        let expect = &self.expect;
        if (expect.outcome == Outcome::Failed) != expect.failure.is_some() {
            return fail("failure goes with the outcome \"failed\", and only with it");
        }
        if expect.requests == 0 {
            return fail("a run makes at least one request");
        }
        Ok(())
    }
}

/// The line of a byte position, counted from 1.
fn line_of(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1
}

/// The line on which the key or header with this number (counted from 0) starts; 1 if there is none.
fn line_starting(text: &str, start: &str, number: usize) -> usize {
    text.lines()
        .enumerate()
        .filter(|(_, line)| line.trim_start().starts_with(start))
        .nth(number)
        .map_or(1, |(line, _)| line + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"name = "small"
title = "Small"
tag = "[demo:small]"
prompt = "Go [demo:small]"
workspace = """
//- /a.md
x
"""

[[turns]]
calls = [{ name = "files_read", arguments = { path = "a.md" } }]

[[turns]]
text = "Read."

[expect]
outcome = "done"
calls = [{ tool = "files_read", status = "done" }]
answer = ["Read"]
requests = 2
"#;

    fn error(from: &str, to: &str) -> ScenarioError {
        assert!(GOOD.contains(from), "{from}");
        Scenario::parse(&GOOD.replacen(from, to, 1)).unwrap_err()
    }

    #[test]
    fn a_good_scenario_is_read() {
        let scenario = Scenario::parse(GOOD).unwrap();
        assert_eq!(scenario.turns.len(), 2);
        assert_eq!(scenario.expect.requests, 2);
    }

    #[test]
    fn errors_name_the_line_and_say_what_is_wrong() {
        for (from, to, line, words) in [
            ("title =", "titel =", 2, "titel"),
            ("\"Go [demo:small]\"", "\"Go\"", 4, "[demo:small]"),
            ("\"[demo:small]\"", "\"small\"", 3, "brackets"),
            ("//- /a.md", "//- /../a.md", 5, ".."),
            ("text = \"Read.\"", "", 13, "text or calls"),
            ("text = \"Read.\"", "text = 3", 14, "string"),
            (
                "text = \"Read.\"",
                "text = \"a\"\nrepeat = \"often\"",
                15,
                "often",
            ),
            (
                "text = \"Read.\"",
                "text = \"a\"\nrepeat = 0",
                15,
                "at least once",
            ),
            (
                "text = \"Read.\"",
                "text = \"a\"\nfault = {}",
                13,
                "does nothing",
            ),
            (
                "text = \"Read.\"",
                "text = \"a\"\nfault = { status = 500, empty = true }",
                13,
                "no stream",
            ),
            (
                "text = \"Read.\"",
                "text = \"a\"\nfault = { html = true, empty = true }",
                13,
                "status",
            ),
            (
                "text = \"Read.\"",
                "text = \"a\"\nstream = { chunk = \"bytes-0\" }",
                15,
                "bytes-N",
            ),
            (", arguments = { path = \"a.md\" }", "", 10, "arguments_raw"),
            (
                "{ path = \"a.md\" }",
                "{ path = \"a.md\" }, copies = 1001",
                10,
                "copies",
            ),
            (
                "outcome = \"done\"",
                "outcome = \"failed\"",
                16,
                "failure goes",
            ),
            ("requests = 2", "requests = 0", 16, "one request"),
            ("requests = 2", "requests =", 20, ""),
        ] {
            let error = error(from, to);
            assert!(
                error.line == line && error.message.contains(words),
                "{to}: expected line {line} and \"{words}\", got {error}"
            );
        }
    }

    #[test]
    fn a_thousand_copies_are_allowed() {
        let text = GOOD.replace("{ path = \"a.md\" }", "{ path = \"a.md\" }, copies = 1000");
        assert!(Scenario::parse(&text).is_ok());
    }
}
