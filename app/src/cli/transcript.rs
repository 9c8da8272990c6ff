//! A session as a text to read. Reasoning isn't in it: events have none.

use std::fmt::{self, Write};

use wisp_engine::protocol::{CallReport, Event, EventMsg, RunOutcome, SessionSummary};

use super::moment::time;

/// Markdown: what was said, what was done, how each run ended.
pub(super) fn markdown(session: &SessionSummary, events: &[Event]) -> Result<String, fmt::Error> {
    let mut out = String::new();
    write!(out, "# {}\n\n", session.title)?;
    write!(
        out,
        "- session: {}\n- begun: {}\n",
        session.id,
        time(session.created_at)
    )?;
    if let Some(folder) = &session.folder {
        writeln!(out, "- folder: {}", folder.display())?;
    }
    let mut unfinished = String::new();
    for event in events {
        match &event.msg {
            EventMsg::RunStarted { text, .. } => {
                write!(out, "\n## User, {}\n\n{text}\n", time(event.at))?;
            }
            EventMsg::TextDelta { text, .. } => unfinished.push_str(text),
            EventMsg::StepFinished { text, .. } => {
                unfinished.clear();
                if !text.is_empty() {
                    write!(out, "\n{text}\n")?;
                }
            }
            EventMsg::CallFinished { tool, report, .. } => call(&mut out, tool, report)?,
            EventMsg::RunFinished { outcome, .. } => {
                if !unfinished.is_empty() {
                    write!(out, "\n{unfinished}\n\n> (unfinished)\n")?;
                    unfinished.clear();
                }
                if let Some(words) = ending(outcome) {
                    write!(out, "\n> {words}\n")?;
                }
            }
            _ => {}
        }
    }
    if session.running {
        if !unfinished.is_empty() {
            write!(out, "\n{unfinished}\n")?;
        }
        write!(
            out,
            "\n> (This run has not ended: it goes on, or the program ended during it.)\n"
        )?;
    }
    Ok(out)
}

fn call(out: &mut String, tool: &str, report: &CallReport) -> fmt::Result {
    let status = serde_json::to_value(report.status).unwrap_or_default();
    write!(out, "\n> `{tool}` {}", status.as_str().unwrap_or_default())?;
    if let Some(error) = &report.error {
        write!(out, ": {}", error.message.replace('\n', " "))?;
    }
    writeln!(out)
}

fn ending(outcome: &RunOutcome) -> Option<String> {
    match outcome {
        RunOutcome::Done => None,
        RunOutcome::Failed { failure } => Some(format!("The run failed. {failure}")),
        RunOutcome::BudgetSpent { max_steps } => {
            Some(format!("The run stopped after its {max_steps} steps."))
        }
        RunOutcome::GuardStopped { tool, times } => Some(format!(
            "The run was stopped: the same {tool} call came {times} times in a row."
        )),
        RunOutcome::Cancelled => Some("The run was cancelled.".to_owned()),
        RunOutcome::Interrupted => {
            Some("The run was interrupted by the end of the program.".to_owned())
        }
    }
}
