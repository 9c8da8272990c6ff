//! Folds events into a transcript, one after another. What makes no sense in its place changes nothing.

use wisp_engine::protocol::{
    CallId, CallReport, CallRequest, CallStatus, Event, EventMsg, RunId, RunOutcome,
};

use super::transcript::{Call, CallState, Notice, Phase, Run, RunEnd, Step, Transcript};

impl Transcript {
    /// Takes an event in. One that is in already is passed over; tells whether it was taken.
    pub fn apply(&mut self, event: &Event) -> bool {
        if self.last.is_some_and(|last| event.id <= last) {
            return false;
        }
        self.last = Some(event.id);
        self.revision += 1;
        if let EventMsg::RunStarted {
            run,
            text,
            max_steps,
        } = &event.msg
        {
            self.runs.push(Run {
                id: run.clone(),
                text: text.clone(),
                at: event.at,
                max_steps: *max_steps,
                steps: Vec::new(),
                notices: Vec::new(),
                end: None,
                revision: 0,
            });
        } else if let Some(run) = event.msg.run().and_then(|id| self.run_mut(id)) {
            run.revision += 1;
            apply_to_run(run, event);
        }
        true
    }

    fn run_mut(&mut self, id: &RunId) -> Option<&mut Run> {
        self.runs.iter_mut().rev().find(|run| run.id == *id)
    }
}

/// One line an event; the bodies are below.
fn apply_to_run(run: &mut Run, event: &Event) {
    match &event.msg {
        EventMsg::SessionCreated { .. }
        | EventMsg::SessionRenamed { .. }
        | EventMsg::RunStarted { .. } => {}
        EventMsg::StepStarted { step, .. } => run.steps.push(Step::new(*step, event.at)),
        EventMsg::RequestRetry {
            step,
            attempt,
            wait_millis,
            failure,
            ..
        } => {
            step_of(run, *step, event.at).phase = Phase::Retrying {
                attempt: *attempt,
                wait_millis: *wait_millis,
                failure: failure.clone(),
            };
        }
        EventMsg::ReasoningActive { step, .. } => {
            step_of(run, *step, event.at).phase = Phase::Thinking;
        }
        EventMsg::StillWaiting { step, seconds, .. } => {
            step_of(run, *step, event.at).phase = Phase::Waiting(*seconds);
        }
        EventMsg::TextDelta { step, text, .. } => {
            let step = step_of(run, *step, event.at);
            step.phase = Phase::Writing;
            step.reply.push(text);
        }
        EventMsg::CallAnnounced { step, tool, .. } => {
            step_of(run, *step, event.at).phase = Phase::Calling(tool.clone());
        }
        EventMsg::StepFinished {
            step,
            text,
            usage,
            millis,
            ..
        } => {
            let step = step_of(run, *step, event.at);
            step.phase = Phase::Done;
            step.usage = *usage;
            step.millis = *millis;
            step.reply.set(text);
            step.reply.finish();
        }
        EventMsg::CallsRequested { step, calls, .. } => {
            let step = step_of(run, *step, event.at);
            step.phase = Phase::Done;
            step.calls.extend(calls.iter().map(queued));
        }
        EventMsg::CallStarted {
            step, call, tool, ..
        } => call_of(run, *step, call, tool, event.at).state = CallState::Running(event.at),
        EventMsg::ApprovalRequested { step, approval, .. } => {
            let call = call_of(run, *step, &approval.call, &approval.tool, event.at);
            call.state = CallState::Asking(approval.id.clone());
        }
        EventMsg::ApprovalResolved {
            call,
            decision,
            source,
            ..
        } => {
            if let Some(call) = find_call(run, call) {
                call.decision = Some((decision.clone(), *source));
                call.state = CallState::Running(event.at);
            }
        }
        EventMsg::CallFinished {
            step,
            call,
            tool,
            report,
            ..
        } => {
            call_of(run, *step, call, tool, event.at).end(report.clone());
        }
        EventMsg::Notice {
            notice, message, ..
        } => run.notices.push(Notice {
            after_step: run.steps.len(),
            kind: *notice,
            message: message.clone(),
        }),
        EventMsg::RunFinished {
            outcome,
            side_effects,
            usage,
            millis,
            ..
        } => {
            run.end = Some(RunEnd {
                outcome: outcome.clone(),
                side_effects: *side_effects,
                usage: *usage,
                millis: *millis,
            });
            close_calls(run, outcome);
        }
    }
}

fn queued(request: &CallRequest) -> Call {
    let CallRequest {
        call,
        tool,
        arguments,
    } = request.clone();
    Call::new(call, tool, arguments)
}

/// The step of this number; one that was never announced is made, so that nothing is lost.
fn step_of(run: &mut Run, number: u32, at: u64) -> &mut Step {
    let place = run.steps.iter().rposition(|step| step.number == number);
    let place = place.unwrap_or_else(|| {
        run.steps.push(Step::new(number, at));
        run.steps.len() - 1
    });
    // The place was found or made right above.
    #[expect(clippy::indexing_slicing, reason = "the place is from this very list")]
    &mut run.steps[place]
}

fn call_of<'a>(run: &'a mut Run, step: u32, id: &CallId, tool: &str, at: u64) -> &'a mut Call {
    let step = step_of(run, step, at);
    let place = step.calls.iter().rposition(|call| call.id == *id);
    let place = place.unwrap_or_else(|| {
        step.phase = Phase::Done;
        step.calls
            .push(Call::new(id.clone(), tool.to_owned(), String::new()));
        step.calls.len() - 1
    });
    #[expect(clippy::indexing_slicing, reason = "the place is from this very list")]
    &mut step.calls[place]
}

fn find_call<'a>(run: &'a mut Run, id: &CallId) -> Option<&'a mut Call> {
    let mut steps = run.steps.iter_mut().rev();
    steps.find_map(|step| step.calls.iter_mut().rev().find(|call| call.id == *id))
}

/// Of a run that is over no call goes on: one that had begun is of unknown outcome, the others never ran.
fn close_calls(run: &mut Run, outcome: &RunOutcome) {
    for step in &mut run.steps {
        for call in &mut step.calls {
            match call.state {
                CallState::Queued | CallState::Asking(_) => call.state = CallState::NeverRun,
                CallState::Running(_) => {
                    let status = match outcome {
                        RunOutcome::Cancelled => CallStatus::Cancelled,
                        _ => CallStatus::Unknown,
                    };
                    call.end(CallReport {
                        status,
                        result: None,
                        error: None,
                        note: None,
                        millis: 0,
                    });
                }
                CallState::Ended(_) | CallState::NeverRun => {}
            }
        }
        if step.phase != Phase::Done {
            step.reply.finish();
        }
    }
}
