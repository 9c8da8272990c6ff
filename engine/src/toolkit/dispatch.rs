//! One call, from the model's text to its report: parse, prepare, gate, run.
//!
//! Every call of every session comes through here. What a tool gives back and what went wrong both
//! become a report; only the run that asked decides what follows.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};

use crate::permission::gate::{Asker, CallShape, Denial, Gate, Passage};
use crate::protocol::{CallReport, CallRequest, CallStatus, ToolErrorKind, ToolFailure};
use crate::support::clock::Stopwatch;

use super::erased::PreparedCall;
use super::snapshot::Snapshot;
use super::{Card, ToolContext, ToolError, ToolResult};

/// How long a cancelled run waits for a changing tool to say how far it got. With the rest of a
/// cancel it stays under 200 ms.
const CANCEL_GRACE: Duration = Duration::from_millis(150);
/// How much of unreadable arguments an error quotes, in characters.
const QUOTED_ARGUMENTS: usize = 500;

/// How many unknown arguments a note names.
const NAMED_ARGUMENTS: usize = 20;
/// How much of a name that isn't ours is repeated, in characters.
const NAMED_CHARS: usize = 80;

/// What the gate's asker is given.
pub(crate) struct Question {
    /// The call it is about.
    pub(crate) call: CallRequest,
    /// What to show.
    pub(crate) card: Card,
}

/// The arguments of a call as JSON, and what makes it the same as another.
pub(crate) struct ParsedCall {
    /// The object, or why there is none.
    arguments: Result<Map<String, Value>, ToolFailure>,
    /// For the guard against repetition and for remembered denials.
    pub(crate) shape: CallShape,
}

/// Reads a call's arguments: absent, empty and null are an empty object; anything but an object is
/// an error for the model.
pub(crate) fn parse(call: &CallRequest) -> ParsedCall {
    let text = call.arguments.trim();
    let parsed = if text.is_empty() {
        Ok(Map::new())
    } else {
        match serde_json::from_str::<Value>(text) {
            Ok(Value::Object(map)) => Ok(map),
            Ok(Value::Null) => Ok(Map::new()),
            Ok(other) => Err(format!(
                "The arguments are {}, not a JSON object. Nothing was run. Send the call again with one object.",
                kind_of(&other)
            )),
            Err(error) => Err(format!(
                "The arguments are not JSON ({error}). Nothing was run. Send the call again with valid JSON. They begin: {}",
                text.chars().take(QUOTED_ARGUMENTS).collect::<String>()
            )),
        }
    };
    match parsed {
        Ok(map) => ParsedCall {
            shape: CallShape::new(&call.tool, &map),
            arguments: Ok(map),
        },
        Err(message) => ParsedCall {
            shape: CallShape::unparsed(&call.tool, text),
            arguments: Err(ToolFailure {
                kind: ToolErrorKind::BadArguments,
                message,
            }),
        },
    }
}

/// Carries a call out. `asker` is asked where the rules say so.
pub(crate) async fn dispatch(
    call: &CallRequest,
    parsed: ParsedCall,
    snapshot: &Snapshot,
    gate: &mut Gate,
    asker: &impl Asker<Question>,
    context: &ToolContext,
) -> CallReport {
    let watch = Stopwatch::start();
    if let Some(denial) = gate.denied_before(&parsed.shape) {
        return denied(
            denial,
            "The user has already denied this very call in this run. ",
        );
    }
    let prepared = prepare(call, parsed.arguments, snapshot, context).await;
    let (access, prepared) = match prepared {
        Ok(ready) => ready,
        Err(error) => return failed(error, watch.millis()),
    };
    let preparing = watch.elapsed();
    let note = note_of(&prepared.unknown_arguments);
    let question = prepared.card.map(|card| Question {
        call: call.clone(),
        card,
    });
    let permit = match gate
        .pass(&parsed.shape, access, question, asker, &context.cancel)
        .await
    {
        Passage::Granted(permit) => permit,
        Passage::Denied(denial) => return denied(denial, "The user denied this call. "),
        Passage::Cancelled => return failed(ToolError::Cancelled, 0),
    };
    let watch = Stopwatch::start();
    let done = finish((prepared.run)(permit, context.clone()), context).await;
    let millis = u64::try_from((preparing + watch.elapsed()).as_millis()).unwrap_or(u64::MAX);
    match done {
        Some(Ok(result)) => CallReport {
            status: CallStatus::Done,
            result: Some(result),
            error: None,
            note,
            millis,
        },
        Some(Err(error)) => CallReport {
            note,
            ..failed(error, millis)
        },
        None => CallReport {
            status: CallStatus::Unknown,
            result: None,
            error: Some(ToolFailure {
                kind: ToolErrorKind::Failed,
                message:
                    "It was still at work when the run was cancelled. It may or may not have been \
                          carried out: look before you go on."
                        .to_owned(),
            }),
            note,
            millis,
        },
    }
}

async fn prepare(
    call: &CallRequest,
    arguments: Result<Map<String, Value>, ToolFailure>,
    snapshot: &Snapshot,
    context: &ToolContext,
) -> ToolResult<(crate::permission::Access, PreparedCall)> {
    let Some(tool) = snapshot.find(&call.tool) else {
        let names: Vec<_> = snapshot
            .descriptions()
            .iter()
            .map(|tool| tool.name.as_str())
            .collect();
        return Err(ToolError::new(
            ToolErrorKind::UnknownTool,
            format!(
                "There is no tool `{}` here. The tools are: {}.",
                call.tool.chars().take(NAMED_CHARS).collect::<String>(),
                names.join(", ")
            ),
        ));
    };
    let arguments = arguments.map_err(ToolError::Model)?;
    Ok((
        tool.access(),
        Arc::clone(tool).prepare(arguments, context).await?,
    ))
}

/// Waits for the tool, and after a cancel a little longer. `None`: it is still at work, and goes on
/// by itself, since what has been handed to the system can't be taken back.
async fn finish(
    work: impl Future<Output = ToolResult<Value>> + Send + 'static,
    context: &ToolContext,
) -> Option<ToolResult<Value>> {
    let mut task = tokio::spawn(work);
    let late = async {
        context.cancel.cancelled().await;
        tokio::time::sleep(CANCEL_GRACE).await;
    };
    tokio::select! {
        biased;
        done = &mut task => Some(done.unwrap_or_else(|error| {
            Err(ToolError::failed(format!(
                "The tool broke down ({error}). What it had done until then is not known: look before you go on."
            )))
        })),
        () = late => None,
    }
}

fn denied(denial: Denial, lead: &str) -> CallReport {
    let mut message = format!(
        "{lead}Nothing was changed. Don't try the same again; ask the user or go another way."
    );
    if let Some(reason) = denial.reason {
        message.push_str(" Their reason: ");
        message.push_str(&reason);
    }
    CallReport {
        status: CallStatus::Denied,
        result: None,
        error: Some(ToolFailure {
            kind: ToolErrorKind::Denied,
            message,
        }),
        note: None,
        millis: 0,
    }
}

fn failed(error: ToolError, millis: u64) -> CallReport {
    let (status, error) = match error {
        ToolError::Model(failure) => (CallStatus::Failed, failure),
        ToolError::Cancelled => (
            CallStatus::Cancelled,
            ToolFailure {
                kind: ToolErrorKind::Failed,
                message: "The user cancelled the run before this was done.".to_owned(),
            },
        ),
    };
    CallReport {
        status,
        result: None,
        error: Some(error),
        note: None,
        millis,
    }
}

fn note_of(unknown: &[String]) -> Option<String> {
    (!unknown.is_empty()).then(|| {
        let named: Vec<String> = unknown
            .iter()
            .take(NAMED_ARGUMENTS)
            .map(|name| name.chars().take(NAMED_CHARS).collect())
            .collect();
        let more = unknown.len() - named.len();
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        format!(
            "These arguments are unknown to the tool and were passed over: {}{more}.",
            named.join(", ")
        )
    })
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// A report as the model reads it: JSON text with sorted keys; an error is `{"error": {kind, message}}`.
pub(crate) fn content(report: &CallReport) -> String {
    let mut text = match (&report.error, &report.result) {
        (Some(error), _) => crate::support::json::canonical(&serde_json::json!({"error": error})),
        (None, Some(result)) => crate::support::json::canonical(result),
        (None, None) => "{}".to_owned(),
    };
    if let Some(note) = &report.note {
        text.push_str("\n\nNote: ");
        text.push_str(note);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::CallId;

    fn call(arguments: &str) -> CallRequest {
        CallRequest {
            call: CallId::new("c1"),
            tool: "files_read".to_owned(),
            arguments: arguments.to_owned(),
        }
    }

    #[test]
    fn nothing_is_an_empty_object_and_no_object_is_an_error() {
        for text in ["", "  ", "null", "{}"] {
            assert_eq!(parse(&call(text)).arguments, Ok(Map::new()), "{text:?}");
        }
        for (text, says) in [
            ("[1]", "an array"),
            ("\"x\"", "a string"),
            ("{\"path\":", "not JSON"),
        ] {
            let failure = parse(&call(text)).arguments.unwrap_err();
            assert_eq!(failure.kind, ToolErrorKind::BadArguments);
            assert!(failure.message.contains(says), "{}", failure.message);
        }
    }

    #[test]
    fn a_long_broken_text_is_quoted_in_part() {
        let long = format!("{{{}", "x".repeat(QUOTED_ARGUMENTS * 4));
        let message = parse(&call(&long)).arguments.unwrap_err().message;
        assert!(message.matches('x').count() <= QUOTED_ARGUMENTS);
    }

    fn context(cancel: &tokio_util::sync::CancellationToken) -> ToolContext {
        ToolContext {
            session: crate::protocol::SessionId::new("s"),
            run: crate::protocol::RunId::new("r"),
            previews: crate::preview::Previews::default(),
            workspace: None,
            writer: crate::files::Writer::new(None),
            tools: Arc::new([]),
            cancel: cancel.clone(),
        }
    }

    #[tokio::test]
    async fn a_cancelled_run_waits_for_a_change_as_long_as_the_grace_and_no_longer() {
        let cancel = tokio_util::sync::CancellationToken::new();
        let (release, released) = tokio::sync::oneshot::channel::<()>();
        let stuck = async move {
            released.await.map_err(|_| ToolError::Cancelled)?;
            Ok(Value::Null)
        };
        cancel.cancel();
        let watch = Stopwatch::start();
        assert!(
            finish(stuck, &context(&cancel)).await.is_none(),
            "it is still at work"
        );
        let took = watch.elapsed();
        assert!(took >= CANCEL_GRACE && took < CANCEL_GRACE * 2, "{took:?}");
        assert!(
            release.send(()).is_ok(),
            "what was handed over goes on by itself"
        );
        let quick = async { Ok(Value::Bool(true)) };
        let done = finish(quick, &context(&cancel)).await;
        assert!(
            matches!(done, Some(Ok(Value::Bool(true)))),
            "one that ends in time tells how"
        );
    }

    #[tokio::test]
    async fn a_tool_that_breaks_down_is_an_error_and_not_the_end() {
        let cancel = tokio_util::sync::CancellationToken::new();
        let done = finish(async { panic!("broken") }, &context(&cancel)).await;
        assert!(
            matches!(done, Some(Err(ToolError::Model(failure))) if failure.message.contains("broke down"))
        );
    }

    #[test]
    fn the_model_reads_an_error_as_json_and_a_note_after_it() {
        let report = CallReport {
            note: Some("careful".to_owned()),
            ..failed(ToolError::not_found("no file"), 1)
        };
        assert_eq!(
            content(&report),
            "{\"error\":{\"kind\":\"not_found\",\"message\":\"no file\"}}\n\nNote: careful"
        );
    }
}
