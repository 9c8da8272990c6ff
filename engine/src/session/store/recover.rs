//! After the program ended in the middle of a run: says so in the session, and repeats nothing.

use rusqlite::Connection;

use crate::protocol::{
    CallId, CallReport, CallStatus, Decision, DecisionSource, Event, EventMsg, Failure, RunId,
    RunOutcome, SessionId, ToolErrorKind, ToolFailure, Usage,
};

use crate::support::redact::Redactor;

use super::database::statement_failure;
use super::events::append;
use super::queries::Reader;

/// Closes every run that was left open: its open question, its open call, itself.
pub(super) fn mark_interrupted(db: &mut Connection, redactor: &Redactor) -> Result<(), Failure> {
    let open = open_runs(db).map_err(|error| statement_failure(&error))?;
    for (session, run) in open {
        // A log that can't be read must not keep the program from starting: its run is closed all the same.
        let events = Reader::new(db).events_of_run(&session, &run).unwrap_or_else(|failure| {
            tracing::error!(%session, %failure, "the events of an interrupted run can't be read");
            Vec::new()
        });
        let closing = closing(&run, &events)
            .into_iter()
            .map(|msg| (session.clone(), msg))
            .collect();
        append(db, closing, redactor).map_err(|error| statement_failure(&error))?;
    }
    Ok(())
}

fn open_runs(db: &Connection) -> rusqlite::Result<Vec<(SessionId, RunId)>> {
    db.prepare("SELECT id, open_run FROM sessions WHERE open_run IS NOT NULL")?
        .query_map([], |row| {
            Ok((
                SessionId::new(row.get::<_, String>(0)?),
                RunId::new(row.get::<_, String>(1)?),
            ))
        })?
        .collect()
}

/// The events that end an interrupted run.
pub(crate) fn closing(run: &RunId, events: &[Event]) -> Vec<EventMsg> {
    let mut steps = 0;
    let mut usage = Usage::default();
    let mut open_call: Option<(u32, CallId, String)> = None;
    let mut open_question = None;
    let mut side_effects = false;
    for event in events {
        match &event.msg {
            EventMsg::StepStarted { step, .. } => steps = *step,
            EventMsg::StepFinished { usage: more, .. } => usage = usage.plus(*more),
            EventMsg::CallStarted {
                step, call, tool, ..
            } => {
                side_effects |= crate::tools::has_side_effects(tool);
                open_call = Some((*step, call.clone(), tool.clone()));
            }
            EventMsg::ApprovalRequested { approval, .. } => open_question = Some(approval.clone()),
            EventMsg::ApprovalResolved { .. } => open_question = None,
            EventMsg::CallFinished { .. } => open_call = None,
            _ => {}
        }
    }
    let mut closing = Vec::new();
    let asked = open_question.is_some();
    if let Some(question) = open_question {
        closing.push(EventMsg::ApprovalResolved {
            run: run.clone(),
            approval: question.id,
            call: question.call,
            decision: Decision::Deny { reason: None },
            source: DecisionSource::RunEnded,
        });
    }
    if let Some((step, call, tool)) = open_call {
        let (status, message) = if asked {
            (
                CallStatus::Cancelled,
                "The program ended while this waited for an answer. It was not run.",
            )
        } else {
            (
                CallStatus::Unknown,
                "The program ended while this ran. It may or may not have been carried out: look before you go on.",
            )
        };
        closing.push(EventMsg::CallFinished {
            run: run.clone(),
            step,
            call,
            tool,
            report: CallReport {
                status,
                result: None,
                error: Some(ToolFailure {
                    kind: ToolErrorKind::Failed,
                    message: message.to_owned(),
                }),
                note: None,
                millis: 0,
            },
        });
    }
    let started = events.first().map_or(0, |event| event.at);
    let ended = events.last().map_or(0, |event| event.at);
    closing.push(EventMsg::RunFinished {
        run: run.clone(),
        outcome: RunOutcome::Interrupted,
        side_effects,
        steps,
        usage,
        millis: ended.saturating_sub(started),
    });
    closing
}
