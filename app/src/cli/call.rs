//! `wisp call`: one tool through the engine's dispatcher, without a model and without a trace in the
//! history.

use serde_json::json;
use wisp_engine::protocol::{
    Answer, CallReport, Decision, EventMsg, Failure, FailureKind, Op, RunOutcome, ToolErrorKind,
    ToolFailure, Update,
};
use wisp_engine::{Settings, StoreLocation};

use super::args::{ApproveCall, CallArgs};
use super::client::{self, answer_to, read_argument, stop_signal, unexpected};
use super::exit::{self, Exit};
use super::output;

/// Runs one tool. Whatever goes wrong is JSON on standard output too.
pub(super) fn run(args: CallArgs) -> anyhow::Result<Exit> {
    carry_out(args).or_else(|error| {
        let failure = ToolFailure {
            kind: ToolErrorKind::Failed,
            message: format!("{error:#}"),
        };
        refuse(&failure)
    })
}

fn carry_out(args: CallArgs) -> anyhow::Result<Exit> {
    let arguments = read_argument(&args.arguments, "arguments")?;
    let mut engine = client::start(
        StoreLocation::Memory,
        Some(wisp_engine::home()?),
        Settings::default(),
    )?;
    let runtime = client::runtime()?;
    runtime.block_on(async {
        let folder = match &args.dir {
            Some(dir) => Some(std::path::absolute(dir)?),
            None => None,
        };
        let mode = args.mode.into();
        let session =
            match answer_to(&mut engine, Op::CreateSession { folder, mode }, false).await? {
                Answer::SessionReady { session, .. } => session.id,
                other => return Err(unexpected(&other).into()),
            };
        let op = Op::CallTool {
            session: session.clone(),
            tool: args.tool,
            arguments,
        };
        answer_to(&mut engine, op, false).await?;
        let mut stop = Box::pin(stop_signal());
        let mut report = None;
        loop {
            let update = tokio::select! {
                () = &mut stop => {
                    stop = Box::pin(stop_signal());
                    engine.submit(Op::CancelRun { session: session.clone(), run: None })?;
                    continue;
                }
                update = engine.next() => update,
            };
            match update {
                Some(Update::Event(event)) => match event.msg {
                    EventMsg::ApprovalRequested { approval, .. } => {
                        engine.submit(Op::Decide {
                            session: session.clone(),
                            approval: approval.id,
                            decision: decision(args.approve),
                        })?;
                    }
                    EventMsg::CallFinished { report: done, .. } => report = Some(done),
                    EventMsg::RunFinished { outcome, .. } => return finish(report, &outcome),
                    _ => {}
                },
                Some(
                    Update::Answer { .. } | Update::Ticket { .. } | Update::TicketDropped { .. },
                ) => {}
                Some(Update::Alarm { failure }) => return Err(failure.into()),
                None => {
                    return Err(
                        Failure::new(FailureKind::Internal, "The engine has stopped.").into(),
                    );
                }
            }
        }
    })
}

fn decision(approve: ApproveCall) -> Decision {
    match approve {
        ApproveCall::All => Decision::Approve,
        ApproveCall::Never => Decision::Deny {
            reason: Some("Changes need --approve all on the command line.".to_owned()),
        },
    }
}

fn finish(report: Option<CallReport>, outcome: &RunOutcome) -> anyhow::Result<Exit> {
    let exit = exit::of_outcome(outcome);
    let failed = if exit == Exit::Done {
        Exit::Failed
    } else {
        exit
    };
    match report {
        Some(CallReport {
            result: Some(result),
            note,
            ..
        }) => {
            output::print_line(&result.to_string())?;
            if let Some(note) = note {
                output::complain(&format!("! {note}"));
            }
            Ok(exit)
        }
        Some(CallReport {
            error: Some(error), ..
        }) => refuse(&error).map(|_| failed),
        _ => refuse(&ToolFailure {
            kind: ToolErrorKind::Failed,
            message: "The call ended without a result.".to_owned(),
        })
        .map(|_| failed),
    }
}

/// Says what went wrong: words for a person, JSON for a script.
fn refuse(error: &ToolFailure) -> anyhow::Result<Exit> {
    output::complain(&format!("✗ {}", crate::text::visible::line(&error.message)));
    output::print_line(&json!({"error": error}).to_string())?;
    Ok(Exit::Failed)
}
