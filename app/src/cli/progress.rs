//! What a person sees of a run: steps and calls on standard error, the answer on standard output.

use std::collections::HashMap;
use std::io;

use serde_json::Value;
use wisp_engine::protocol::{
    CallId, CallReport, CallRequest, CallStatus, EventMsg, NoticeKind, RunOutcome,
};

use super::output;
use crate::text::visible;

/// Folds events into lines. On a terminal the answer is shown as it comes; in a pipe it is printed once,
/// when it is known to be the answer and not words before a call.
pub(super) struct Progress {
    live: bool,
    colour: bool,
    answer: String,
    mid_line: bool,
    /// What each call of the present batch is about, by its id.
    about: HashMap<CallId, String>,
}

impl Progress {
    pub(super) fn new() -> Self {
        Self {
            live: output::answer_is_read(),
            colour: output::has_colour(),
            answer: String::new(),
            mid_line: false,
            about: HashMap::new(),
        }
    }

    /// Shows one event.
    pub(super) fn show(&mut self, msg: &EventMsg) -> io::Result<()> {
        match msg {
            EventMsg::TextDelta { text, .. } => self.text(text)?,
            EventMsg::StepFinished { .. } if self.live => self.end_line()?,
            EventMsg::CallsRequested { calls, .. } => {
                self.words_before_calls();
                self.about = calls
                    .iter()
                    .map(|call| (call.call.clone(), about(call)))
                    .collect();
            }
            EventMsg::CallStarted { tool, call, .. } => {
                self.say("·", &format!("{} …", self.name(call, tool)), DIM);
            }
            EventMsg::CallFinished {
                tool, call, report, ..
            } => {
                self.call(&self.name(call, tool), report);
            }
            EventMsg::RequestRetry {
                attempt,
                wait_millis,
                failure,
                ..
            } => self.say(
                "↻",
                &format!(
                    "{} Try {attempt} in {:.1} s.",
                    failure.message,
                    std::time::Duration::from_millis(*wait_millis).as_secs_f64()
                ),
                AMBER,
            ),
            EventMsg::StillWaiting { seconds, .. } => {
                self.say(
                    "·",
                    &format!("still waiting for the model, {seconds} s"),
                    DIM,
                );
            }
            EventMsg::ReasoningActive { .. } => self.say("·", "the model is thinking", DIM),
            EventMsg::Notice {
                message, notice, ..
            } => {
                let colour = if *notice == NoticeKind::UnknownOutcome {
                    RED
                } else {
                    AMBER
                };
                self.say("!", message, colour);
            }
            EventMsg::RunFinished {
                outcome,
                steps,
                usage,
                millis,
                ..
            } => {
                self.end(outcome)?;
                let total = usage.input + usage.cached;
                self.say(
                    "·",
                    &format!(
                        "{steps} {}, {:.1} s, {total} tokens in ({} cached), {} out",
                        if *steps == 1 { "step" } else { "steps" },
                        std::time::Duration::from_millis(*millis).as_secs_f64(),
                        usage.cached,
                        usage.output
                    ),
                    DIM,
                );
            }
            _ => {}
        }
        Ok(())
    }

    fn text(&mut self, text: &str) -> io::Result<()> {
        if self.live {
            output::print(&visible::answer(text))?;
            self.mid_line = !text.ends_with('\n');
        } else {
            self.answer.push_str(text);
        }
        Ok(())
    }

    /// The text turned out not to be the answer: it belongs to the progress.
    fn words_before_calls(&mut self) {
        let words = std::mem::take(&mut self.answer);
        for line in words.lines().filter(|line| !line.trim().is_empty()) {
            self.say(" ", line, DIM);
        }
    }

    fn name(&self, call: &CallId, tool: &str) -> String {
        let tool: String = tool.chars().take(ABOUT_CHARS).collect();
        match self.about.get(call) {
            Some(about) if !about.is_empty() => format!("{tool} {about}"),
            _ => tool,
        }
    }

    fn call(&self, tool: &str, report: &CallReport) {
        let (sign, word, colour) = match report.status {
            CallStatus::Done => ("✓", "done", GREEN),
            CallStatus::Failed => ("✗", "failed", RED),
            CallStatus::Denied => ("✗", "denied", AMBER),
            CallStatus::Cancelled => ("✗", "cancelled", AMBER),
            CallStatus::Unknown => ("?", "outcome unknown", RED),
        };
        let mut line = format!("{tool} {word}, {} ms", report.millis);
        if let (CallStatus::Failed, Some(error)) = (report.status, &report.error) {
            line.push_str(": ");
            line.push_str(&error.message);
        }
        self.say(sign, &line, colour);
    }

    fn end(&mut self, outcome: &RunOutcome) -> io::Result<()> {
        if !self.answer.is_empty() {
            let mut answer = std::mem::take(&mut self.answer);
            if !answer.ends_with('\n') {
                answer.push('\n');
            }
            output::print(&answer)?;
        }
        self.end_line()?;
        match outcome {
            RunOutcome::Done => {}
            RunOutcome::Failed { failure } => self.say("✗", &failure.to_string(), RED),
            RunOutcome::BudgetSpent { max_steps } => self.say(
                "✗",
                &format!(
                    "Stopped after {max_steps} steps, the budget of a run. Everything until now is kept; go on \
                     with a new request in the same session (--session)."
                ),
                AMBER,
            ),
            RunOutcome::GuardStopped { tool, times } => self.say(
                "✗",
                &format!(
                    "Stopped: the model made the same {tool} call {times} times in a row. Go on with other words."
                ),
                AMBER,
            ),
            RunOutcome::Cancelled => self.say("✗", "Cancelled. What was done until now is kept.", AMBER),
            RunOutcome::Interrupted => self.say("✗", "Interrupted. Nothing of it is repeated.", AMBER),
        }
        Ok(())
    }

    fn end_line(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.mid_line) {
            output::print("\n")?;
        }
        Ok(())
    }

    fn say(&self, sign: &str, text: &str, colour: &str) {
        let text = visible::line(text);
        output::complain(&if self.colour {
            format!("{colour}{sign} {text}{RESET}")
        } else {
            format!("{sign} {text}")
        });
    }
}

/// Which path, or which words, a call is about. The whole arguments are on the card.
fn about(call: &CallRequest) -> String {
    let Ok(Value::Object(arguments)) = serde_json::from_str(&call.arguments) else {
        return String::new();
    };
    let texts: Vec<&str> = ["path", "from", "to", "query"]
        .into_iter()
        .filter_map(|name| arguments.get(name).and_then(Value::as_str))
        .filter(|text| text.chars().count() <= ABOUT_CHARS)
        .collect();
    texts.join(" ")
}

/// A longer one would fill the line, in characters.
const ABOUT_CHARS: usize = 60;
const DIM: &str = "\u{1b}[2m";
pub(super) const RED: &str = "\u{1b}[31m";
pub(super) const GREEN: &str = "\u{1b}[32m";
const AMBER: &str = "\u{1b}[33m";
pub(super) const RESET: &str = "\u{1b}[0m";
