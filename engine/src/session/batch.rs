//! A batch: the calls of one reply, strictly one after another, each answered to the model once.

use crate::models::HistoryItem;
use crate::permission::gate::CallShape;
use crate::protocol::{
    CallReport, CallRequest, CallStatus, EventMsg, Failure, NoticeKind, ToolErrorKind, ToolFailure,
};
use crate::toolkit::dispatch;

use super::questions::AskUser;
use super::run::Run;

/// The same call this often in a row: its result says that it won't change.
const NUDGE_AT: u32 = 3;
/// The same call this often in a row: the run stops before it runs again.
const STOP_AT: u32 = 5;

/// How a batch ended.
pub(super) enum BatchEnd {
    /// Each call is answered; the model is asked again.
    Answered,
    Cancelled,
    GuardStopped {
        tool: String,
        times: u32,
    },
}

/// Counts the same call in a row.
#[derive(Debug, Default)]
pub(super) struct Guard {
    last: Option<CallShape>,
    times: u32,
}

impl Guard {
    /// How often in a row this call has come, this time included.
    fn count(&mut self, shape: &CallShape) -> u32 {
        if self.last.as_ref() == Some(shape) {
            self.times += 1;
        } else {
            self.last = Some(shape.clone());
            self.times = 1;
        }
        self.times
    }
}

/// Carries the calls out. `cut_off`: the reply ended at the output limit, so none of them is whole, and
/// none is run.
pub(super) async fn carry_out(
    run: &mut Run<'_>,
    step: u32,
    calls: Vec<CallRequest>,
    cut_off: bool,
) -> Result<BatchEnd, Failure> {
    run.event(EventMsg::CallsRequested {
        run: run.inputs.run.clone(),
        step,
        calls: calls.clone(),
    })
    .await?;
    for call in calls {
        if run.inputs.cancel.is_cancelled() {
            return Ok(BatchEnd::Cancelled);
        }
        let parsed = dispatch::parse(&call);
        let times = run.guard.count(&parsed.shape);
        if times >= STOP_AT {
            return Ok(BatchEnd::GuardStopped {
                tool: call.tool,
                times,
            });
        }
        run.event(EventMsg::CallStarted {
            run: run.inputs.run.clone(),
            step,
            call: call.call.clone(),
            tool: call.tool.clone(),
        })
        .await?;
        run.side_effects |= run
            .snapshot
            .find(&call.tool)
            .is_some_and(|tool| tool.access().has_side_effects());
        let mut report = if cut_off {
            not_whole()
        } else {
            let asker = AskUser {
                journal: run.inputs.journal.clone(),
                questions: run.inputs.questions.clone(),
                run: run.inputs.run.clone(),
                step,
            };
            let snapshot = run.snapshot.clone();
            let context = run.context.clone();
            dispatch::dispatch(&call, parsed, &snapshot, &mut run.gate, &asker, &context).await
        };
        if times >= NUDGE_AT {
            nudge(&mut report, times);
        }
        finish(run, step, &call, report.clone()).await?;
        match report.status {
            CallStatus::Cancelled | CallStatus::Unknown => return Ok(BatchEnd::Cancelled),
            CallStatus::Done | CallStatus::Failed | CallStatus::Denied => {}
        }
    }
    Ok(BatchEnd::Answered)
}

/// Stores the answer for the model and shows the end of the call.
async fn finish(
    run: &mut Run<'_>,
    step: u32,
    call: &CallRequest,
    report: CallReport,
) -> Result<(), Failure> {
    // A call without a model has nobody to answer to.
    if step > 0 {
        run.remember(HistoryItem::ToolResult {
            call: call.call.as_str().to_owned(),
            content: dispatch::content(&report),
        })
        .await?;
    }
    if report.status == CallStatus::Unknown {
        run.event(EventMsg::Notice {
            run: run.inputs.run.clone(),
            notice: NoticeKind::UnknownOutcome,
            message: format!(
                "{} was still at work when the run was cancelled. Look at the folder: it may or may not have been carried out.",
                call.tool
            ),
        })
        .await?;
    }
    run.event(EventMsg::CallFinished {
        run: run.inputs.run.clone(),
        step,
        call: call.call.clone(),
        tool: call.tool.clone(),
        report,
    })
    .await
}

fn not_whole() -> CallReport {
    CallReport {
        status: CallStatus::Failed,
        result: None,
        error: Some(ToolFailure {
            kind: ToolErrorKind::BadArguments,
            message: "The reply was cut off at the output limit, so its calls are not whole and none was run. \
                      Make fewer or smaller calls."
                .to_owned(),
        }),
        note: None,
        millis: 0,
    }
}

fn nudge(report: &mut CallReport, times: u32) {
    let words = format!(
        "This very call has now come {times} times in a row, with the same arguments. Doing it again will not \
         help; do something else. At {STOP_AT} the run is stopped."
    );
    report.note = Some(match report.note.take() {
        Some(note) => format!("{note} {words}"),
        None => words,
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_call_in_between_begins_the_count_anew() {
        let mut guard = Guard::default();
        let one = CallShape::unparsed("a", "{}");
        let two = CallShape::unparsed("b", "{}");
        let counts: Vec<_> = [&one, &one, &two, &one, &one, &one]
            .into_iter()
            .map(|shape| guard.count(shape))
            .collect();
        assert_eq!(counts, [1, 2, 1, 1, 2, 3]);
    }
}
