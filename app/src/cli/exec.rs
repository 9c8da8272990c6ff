//! `wisp exec`: one request, from the words to the exit status.

use std::path::PathBuf;

use anyhow::Context;
use wisp_engine::protocol::{
    Answer, ApprovalRequest, Decision, EventMsg, Failure, FailureKind, Mode, Op, RunOptions,
    SessionId, Update,
};
use wisp_engine::{EngineHandle, History, Settings, StoreLocation};

use super::args::{Approve, ExecArgs};
use super::client::{self, answer_to, read_argument, stop_signal, unexpected};
use super::exit::{self, Exit, UsageError};
use super::keys::Keys;
use super::progress::Progress;
use super::{card, output};
use crate::simulation;
use crate::text::visible;

/// Carries one request out.
pub(super) fn run(args: &ExecArgs) -> anyhow::Result<Exit> {
    let prompt = read_argument(&args.prompt, "request")?;
    let home = wisp_engine::home()?;
    let simulator = if args.simulate {
        Some(simulation::start(0)?)
    } else {
        None
    };
    let (store, mut settings) = match &simulator {
        None => {
            let (settings, warnings) = Settings::load_for(&home, base_url(&args.settings))?;
            for warning in warnings {
                output::complain(&format!("! {}", visible::line(&warning)));
            }
            (home.clone(), settings)
        }
        Some(simulator) => {
            output::complain("! This is a simulation: a scripted model answers, not a real one.");
            (simulation::home(&home), simulation::settings(simulator))
        }
    };
    let max_steps = apply(&args.settings, &mut settings)?;
    let dir = match (&args.dir, &args.session) {
        (None, None) if args.simulate => simulation::workspace(&prompt)?.inspect(|folder| {
            output::complain(&format!("! The scenario's folder is {}", folder.display()));
        }),
        (dir, _) => dir.clone(),
    };
    let session = match &args.session {
        Some(part) => Some(History::of(&store).resolve(part)?),
        None => None,
    };
    let engine = client::start(StoreLocation::Folder(store), Some(home), settings)?;
    let runtime = client::runtime()?;
    let mut request = Request {
        engine,
        approve: args.approve,
        json: args.json,
        progress: Progress::new(),
        keys: None,
    };
    let options = RunOptions { max_steps };
    let exit = runtime.block_on(request.carry_out(session, dir, args.mode.into(), prompt, options));
    // The thread that reads keys may wait for ever; it must not keep the program.
    runtime.shutdown_background();
    exit
}

/// The base URL that `--set` gives, which decides whose key is looked for.
fn base_url(given: &[String]) -> Option<&str> {
    given
        .iter()
        .rev()
        .filter_map(|one| one.split_once('='))
        .find_map(|(key, value)| (key.trim() == "base_url").then_some(value.trim()))
}

/// Puts `--set` over the settings. Gives the step budget, which belongs to the run.
fn apply(given: &[String], settings: &mut Settings) -> anyhow::Result<Option<u32>> {
    let mut max_steps = None;
    for one in given {
        let wrong = |words: &str| UsageError(format!("--set {one}: {words}."));
        let (key, value) = one
            .split_once('=')
            .ok_or_else(|| wrong("write KEY=VALUE"))?;
        match key.trim() {
            "max_steps" => {
                max_steps = Some(
                    value
                        .trim()
                        .parse()
                        .map_err(|_| wrong("takes a whole number"))?,
                );
            }
            "idle_seconds" => {
                let seconds = value.trim().parse().ok().filter(|seconds| *seconds > 0);
                settings.idle_seconds =
                    seconds.ok_or_else(|| wrong("takes a whole number from 1"))?;
            }
            "model" => value.trim().clone_into(&mut settings.model),
            "base_url" => value.trim().clone_into(&mut settings.base_url),
            "provider" => settings.provider = Some(value.trim().to_owned()),
            _ => {
                return Err(wrong(
                    "the settings of a run are max_steps, idle_seconds, model, base_url and provider",
                )
                .into());
            }
        }
    }
    Ok(max_steps)
}

struct Request {
    engine: EngineHandle,
    approve: Approve,
    json: bool,
    progress: Progress,
    keys: Option<Keys>,
}

impl Request {
    async fn carry_out(
        &mut self,
        session: Option<SessionId>,
        dir: Option<PathBuf>,
        mode: Mode,
        text: String,
        options: RunOptions,
    ) -> anyhow::Result<Exit> {
        let folder = match dir {
            Some(dir) => Some(
                std::path::absolute(&dir).with_context(|| format!("--dir {}", dir.display()))?,
            ),
            None => None,
        };
        let new = session.is_none();
        let session = match session {
            Some(session) => session,
            None => match self.ask(Op::CreateSession { folder, mode }).await? {
                Answer::SessionReady { session, .. } => session.id,
                other => return Err(unexpected(&other).into()),
            },
        };
        let start = Op::StartRun {
            session: session.clone(),
            text,
            options,
        };
        if let Err(refused) = self.ask(start).await {
            // A session that was made for this request alone would be an empty one for ever.
            if new && let Err(error) = self.ask(Op::DeleteSession { session }).await {
                tracing::warn!(%error, "the empty session could not be deleted");
            }
            return Err(refused);
        }
        if !self.json {
            output::complain(&format!("· session {session}"));
        }
        self.follow(&session).await
    }

    /// Follows the run to its end.
    async fn follow(&mut self, session: &SessionId) -> anyhow::Result<Exit> {
        let mut stop = Box::pin(stop_signal());
        let mut cancelled = false;
        let mut open: Option<ApprovalRequest> = None;
        loop {
            tokio::select! {
                biased;
                () = &mut stop => {
                    if cancelled {
                        return Ok(Exit::Cancelled);
                    }
                    cancelled = true;
                    stop = Box::pin(stop_signal());
                    self.engine.submit(Op::CancelRun { session: session.clone(), run: None })?;
                }
                update = self.engine.next() => {
                    let Some(update) = update else {
                        return Err(Failure::new(FailureKind::Internal, "The engine has stopped.").into());
                    };
                    if let Some(exit) = self.take(session, update, &mut open)? {
                        return Ok(exit);
                    }
                }
                decision = next_key(&mut self.keys), if open.is_some() => {
                    if let Some(approval) = open.take() {
                        self.decide(session, &approval, decision)?;
                    }
                }
            }
        }
    }

    /// Shows one update. Gives the exit status when it is the last.
    fn take(
        &mut self,
        session: &SessionId,
        update: Update,
        open: &mut Option<ApprovalRequest>,
    ) -> anyhow::Result<Option<Exit>> {
        match update {
            Update::Event(event) => {
                if self.json {
                    output::print_line(&serde_json::to_string(&event)?)?;
                } else {
                    self.progress.show(&event.msg)?;
                }
                match event.msg {
                    EventMsg::ApprovalRequested { approval, .. } => {
                        self.question(session, approval, open)?;
                    }
                    EventMsg::ApprovalResolved { .. } => *open = None,
                    EventMsg::RunFinished { outcome, .. } => {
                        return Ok(Some(exit::of_outcome(&outcome)));
                    }
                    _ => {}
                }
            }
            // A decision may come too late; the run's end tells what counts.
            Update::Answer { .. } | Update::Ticket { .. } | Update::TicketDropped { .. } => {}
            Update::Alarm { failure } => return Err(failure.into()),
        }
        Ok(None)
    }

    fn question(
        &mut self,
        session: &SessionId,
        approval: ApprovalRequest,
        open: &mut Option<ApprovalRequest>,
    ) -> anyhow::Result<()> {
        match self.approve {
            Approve::All => self.decide(session, &approval, Decision::Approve),
            Approve::Never => self.decide(
                session,
                &approval,
                Decision::Deny {
                    reason: Some("This program was started with --approve never.".to_owned()),
                },
            ),
            Approve::Ask => {
                if self.keys.is_none() {
                    self.keys = Some(Keys::start()?);
                }
                if let Some(keys) = &self.keys {
                    keys.ask();
                }
                output::mutter(&card::render(&approval, output::has_colour()));
                *open = Some(approval);
                Ok(())
            }
        }
    }

    fn decide(
        &self,
        session: &SessionId,
        approval: &ApprovalRequest,
        decision: Decision,
    ) -> anyhow::Result<()> {
        self.engine.submit(Op::Decide {
            session: session.clone(),
            approval: approval.id.clone(),
            decision,
        })?;
        Ok(())
    }

    /// Submits, and waits for the answer. What comes before it is printed where events are.
    async fn ask(&mut self, op: Op) -> Result<Answer, anyhow::Error> {
        answer_to(&mut self.engine, op, self.json).await
    }
}

async fn next_key(keys: &mut Option<Keys>) -> Decision {
    match keys {
        Some(keys) => keys.next().await,
        None => std::future::pending().await,
    }
}
