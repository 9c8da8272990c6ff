//! What a person sees of a run: steps and calls on standard error, the answer on standard output.

use std::io;

use wisp_engine::protocol::{CallReport, CallStatus, EventMsg, NoticeKind, RunOutcome};

use super::{output, visible};

/// Folds events into lines. On a terminal the answer is shown as it comes; in a pipe it is printed once,
/// when it is known to be the answer and not words before a call.
pub(super) struct Progress {
    live: bool,
    colour: bool,
    answer: String,
    mid_line: bool,
}

impl Progress {
    pub(super) fn new() -> Self {
        Self {
            live: output::answer_is_read(),
            colour: output::progress_is_read() && std::env::var_os("NO_COLOR").is_none(),
            answer: String::new(),
            mid_line: false,
        }
    }

    /// Shows one event.
    pub(super) fn show(&mut self, msg: &EventMsg) -> io::Result<()> {
        match msg {
            EventMsg::TextDelta { text, .. } => self.text(text)?,
            EventMsg::StepFinished { .. } if self.live => self.end_line()?,
            EventMsg::CallsRequested { .. } => self.words_before_calls(),
            EventMsg::CallStarted { tool, .. } => self.say("·", &format!("{tool} …"), DIM),
            EventMsg::CallFinished { tool, report, .. } => self.call(tool, report),
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
            output::print(&visible::text(text))?;
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

    fn call(&mut self, tool: &str, report: &CallReport) {
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

const DIM: &str = "\u{1b}[2m";
const RED: &str = "\u{1b}[31m";
const GREEN: &str = "\u{1b}[32m";
const AMBER: &str = "\u{1b}[33m";
const RESET: &str = "\u{1b}[0m";
