//! What a session has said and done, as the chat draws it: runs, their steps, the steps' calls.

use serde_json::Value;
use wisp_engine::protocol::{
    ApprovalId, CallId, CallReport, CallStatus, Decision, DecisionSource, EventId, Failure,
    NoticeKind, RunId, RunOutcome, Usage,
};

use super::opens::Opens;
use crate::text::markdown::Document;
use crate::text::visible;

/// A session's runs, folded from its events.
#[derive(Debug, Default)]
pub struct Transcript {
    /// Oldest first.
    pub runs: Vec<Run>,
    /// The newest event that is in here; older ones are passed over when they come again.
    pub(super) last: Option<EventId>,
    /// Grows with every change, so that what is derived knows when it is old.
    pub revision: u64,
}

/// One request of the user and all that follows.
#[derive(Debug)]
pub struct Run {
    /// Its id.
    pub id: RunId,
    /// The user's words.
    pub text: String,
    /// When it began, in milliseconds since 1970 (UTC).
    pub at: u64,
    /// How many steps it may take.
    pub max_steps: u32,
    /// Its steps, oldest first.
    pub steps: Vec<Step>,
    /// What the person should know, each with the number of steps there were before it.
    pub notices: Vec<Notice>,
    /// How it ended; `None` while it goes on.
    pub end: Option<RunEnd>,
    /// Grows with every change of this run.
    pub revision: u64,
}

/// Something the person should know, which ended nothing.
#[derive(Debug)]
pub struct Notice {
    /// How many steps the run had when it came.
    pub after_step: usize,
    /// What it is about.
    pub kind: NoticeKind,
    /// In one English sentence.
    pub message: String,
}

/// The end of a run.
#[derive(Debug)]
pub struct RunEnd {
    /// How.
    pub outcome: RunOutcome,
    /// Whether a call that changes something was asked for.
    pub side_effects: bool,
    /// What it cost in all.
    pub usage: Usage,
    /// From start to end, in milliseconds.
    pub millis: u64,
}

/// One model request and its batch of calls.
#[derive(Debug)]
pub struct Step {
    /// Counted from 1; 0 where the log has no steps.
    pub number: u32,
    /// When it began, in milliseconds since 1970 (UTC).
    pub at: u64,
    /// The model's words.
    pub reply: Document,
    /// Its calls, in the order they are taken up.
    pub calls: Vec<Call>,
    /// What the model is doing; [`Phase::Done`] when its reply is whole.
    pub phase: Phase,
    /// What the request cost; zero before its end.
    pub usage: Usage,
    /// From request to the reply's end, in milliseconds; 0 before it.
    pub millis: u64,
}

/// What a model request is at.
#[derive(Clone, Debug, PartialEq)]
pub enum Phase {
    /// It is sent; nothing has come.
    Asked,
    /// Nothing has come for so many seconds.
    Waiting(u64),
    /// It failed before its first token and is sent again.
    Retrying {
        /// The try that follows, counted from 2.
        attempt: u32,
        /// How long it waits before, in milliseconds.
        wait_millis: u64,
        /// Why.
        failure: Failure,
    },
    /// The model thinks.
    Thinking,
    /// Its text comes in.
    Writing,
    /// It writes a call of this tool.
    Calling(String),
    /// The reply is whole.
    Done,
}

/// One tool call.
#[derive(Debug)]
pub struct Call {
    /// The model's id for it.
    pub id: CallId,
    /// The tool.
    pub tool: String,
    /// Its arguments, as the model wrote them.
    pub arguments: String,
    /// What it works on, on one line: its path, its words, or nothing.
    pub subject: String,
    /// What of the session's folder it is about.
    pub opens: Option<Opens>,
    /// The number its result is known by: hits, entries, lines.
    pub count: Option<usize>,
    /// What it is at.
    pub state: CallState,
    /// What was answered when it asked, and by whom.
    pub decision: Option<(Decision, DecisionSource)>,
}

/// What a call is at.
#[derive(Debug, PartialEq)]
pub enum CallState {
    /// It waits for its turn.
    Queued,
    /// It runs, since this time in milliseconds since 1970 (UTC).
    Running(u64),
    /// It waits for the person.
    Asking(ApprovalId),
    /// It ended.
    Ended(Box<CallReport>),
    /// The run ended before its turn: it was never run.
    NeverRun,
}

/// How a step looks from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepState {
    /// It goes on.
    Running,
    /// One of its calls waits for the person.
    Asking,
    /// All went well.
    Well,
    /// A call failed, was denied, or its outcome isn't known.
    Trouble,
    /// It was cut off.
    Stopped,
}

impl Call {
    /// One that waits for its turn.
    pub(super) fn new(id: CallId, tool: String, arguments: String) -> Self {
        Self {
            subject: subject(&arguments),
            opens: Opens::of(&tool, &arguments),
            id,
            tool,
            arguments,
            count: None,
            state: CallState::Queued,
            decision: None,
        }
    }

    /// It has ended.
    pub(super) fn end(&mut self, report: CallReport) {
        self.count = report.result.as_ref().and_then(count);
        self.state = CallState::Ended(Box::new(report));
    }

    /// What it has read or changed, once it has.
    pub fn opened(&self) -> Option<&Opens> {
        let done =
            matches!(&self.state, CallState::Ended(report) if report.status == CallStatus::Done);
        self.opens.as_ref().filter(|_| done)
    }

    /// Whether it went wrong.
    pub fn has_failed(&self) -> bool {
        matches!(&self.state, CallState::Ended(report) if report.error.is_some())
    }
}

/// The longest subject, in characters; a line shows less.
const SUBJECT_CHARS: usize = 300;

fn subject(arguments: &str) -> String {
    let Ok(Value::Object(values)) = serde_json::from_str(arguments) else {
        return String::new();
    };
    let text = |key: &str| values.get(key).and_then(Value::as_str);
    let number = |key: &str| values.get(key).and_then(Value::as_u64);
    let subject = match (text("path"), text("from"), text("to"), text("query")) {
        (_, Some(from), Some(to), _) => format!("{from} → {to}"),
        (Some(path), _, _, Some(query)) => format!("{query}  {path}"),
        (Some(path), ..) => match (number("startLine"), number("endLine")) {
            (Some(start), Some(end)) => format!("{path}:{start}–{end}"),
            (Some(start), None) => format!("{path}:{start}"),
            _ => path.to_owned(),
        },
        (None, _, _, Some(query)) => query.to_owned(),
        _ => [text("url"), text("action")]
            .into_iter()
            .flatten()
            .next()
            .unwrap_or_default()
            .to_owned(),
    };
    let line: String = subject.chars().take(SUBJECT_CHARS).collect();
    visible::line(&line)
}

fn count(result: &Value) -> Option<usize> {
    let length = |key: &str| result.get(key).and_then(Value::as_array).map(Vec::len);
    let lines = || {
        result
            .get("text")
            .and_then(Value::as_str)
            .map(|text| text.lines().count())
    };
    length("hits")
        .or_else(|| length("entries"))
        .or_else(|| length("tabs"))
        .or_else(lines)
}

impl Step {
    pub(super) fn new(number: u32, at: u64) -> Self {
        Self {
            number,
            at,
            reply: Document::default(),
            calls: Vec::new(),
            phase: Phase::Asked,
            usage: Usage::default(),
            millis: 0,
        }
    }

    /// How it looks from outside. `over`: whether its run has ended.
    pub fn state(&self, over: bool) -> StepState {
        let mut trouble = false;
        let mut open = self.phase != Phase::Done;
        for call in &self.calls {
            match &call.state {
                CallState::Asking(_) => return StepState::Asking,
                CallState::Queued | CallState::Running(_) => open = true,
                CallState::NeverRun => return StepState::Stopped,
                CallState::Ended(report) => trouble |= report.status != CallStatus::Done,
            }
        }
        match (trouble, open) {
            (true, _) if over || !open => StepState::Trouble,
            (_, true) if over => StepState::Stopped,
            (_, true) => StepState::Running,
            (_, false) => StepState::Well,
        }
    }

    /// What its calls took together, in milliseconds, with the model's reply.
    pub fn total_millis(&self) -> u64 {
        let calls = self.calls.iter().map(|call| match &call.state {
            CallState::Ended(report) => report.millis,
            _ => 0,
        });
        calls.fold(self.millis, u64::saturating_add)
    }
}

impl Run {
    /// Whether it goes on.
    pub fn is_running(&self) -> bool {
        self.end.is_none()
    }

    /// The usage of its last finished request: what the model's window holds now.
    pub fn last_usage(&self) -> Option<Usage> {
        let finished = |step: &&Step| step.phase == Phase::Done && step.usage != Usage::default();
        (self.steps.iter().rev().find(finished)).map(|step| step.usage)
    }
}

impl Transcript {
    /// The run that goes on.
    pub fn running(&self) -> Option<&Run> {
        self.runs.last().filter(|run| run.is_running())
    }

    /// What the model's window held at the last request, and what the whole session cost.
    pub fn usage(&self) -> (Option<Usage>, Usage) {
        let last = self.runs.iter().rev().find_map(Run::last_usage);
        let steps = self.runs.iter().flat_map(|run| &run.steps);
        let total = steps.fold(Usage::default(), |sum, step| sum.plus(step.usage));
        (last, total)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_call_is_known_by_what_it_works_on() {
        assert_eq!(subject(r#"{"path":"a.md"}"#), "a.md");
        assert_eq!(subject(r#"{"from":"a","to":"b"}"#), "a → b");
        assert_eq!(subject(r#"{"url":"https://a.test/"}"#), "https://a.test/");
        assert_eq!(subject(r#"{"tabId":"t","action":"close"}"#), "close");
        assert_eq!(
            subject(r#"{"path":"a","startLine":3,"endLine":9}"#),
            "a:3–9"
        );
        assert_eq!(subject(r#"{"path":".","query":"x"}"#), "x  .");
        assert_eq!(subject("{"), "");
        assert_eq!(subject("{\"path\":\"a\u{202e}b\\n\"}"), "a\\u{202e}b\\u{a}");
        let large = json!({"path": "b.md", "content": "x".repeat(200_000)});
        assert_eq!(subject(&large.to_string()), "b.md");
    }

    #[test]
    fn a_result_is_known_by_its_number() {
        assert_eq!(count(&json!({"hits": [1, 2]})), Some(2));
        assert_eq!(count(&json!({"entries": []})), Some(0));
        assert_eq!(count(&json!({"text": "a\nb\n"})), Some(2));
        assert_eq!(count(&json!({"path": "a"})), None);
    }
}
