//! What the commands share as clients of the engine: starting one, asking it, stopping.

use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use wisp_engine::protocol::{Answer, Failure, FailureKind, Op, Update};
use wisp_engine::{EngineConfig, EngineHandle, Settings, StoreLocation};

use super::exit::UsageError;
use super::output;

/// How much is read from standard input, in bytes: more than any tool or model takes.
const MAX_INPUT_BYTES: u64 = 16_000_000;

/// Starts an engine whose updates are waited for, so that nobody needs to be woken.
pub(super) fn start(
    store: StoreLocation,
    home: Option<PathBuf>,
    settings: Settings,
) -> Result<EngineHandle, Failure> {
    wisp_engine::start(EngineConfig {
        store,
        home,
        settings,
        window: false,
        waker: Arc::new(|| {}),
    })
}

/// A runtime for waiting on this thread.
pub(super) fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
}

/// An argument as it is, or standard input for `-`.
pub(super) fn read_argument(argument: &str, what: &str) -> anyhow::Result<String> {
    if argument != "-" {
        return Ok(argument.to_owned());
    }
    let mut text = String::new();
    std::io::stdin()
        .lock()
        .take(MAX_INPUT_BYTES + 1)
        .read_to_string(&mut text)
        .with_context(|| format!("The {what} could not be read from standard input"))?;
    if text.len() as u64 > MAX_INPUT_BYTES {
        return Err(UsageError(format!(
            "The {what} on standard input are over {MAX_INPUT_BYTES} bytes."
        ))
        .into());
    }
    Ok(text)
}

/// Waits until somebody asks the program to stop.
pub(super) async fn stop_signal() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let kinds = (
            signal(SignalKind::terminate()),
            signal(SignalKind::hangup()),
            signal(SignalKind::quit()),
        );
        if let (Ok(mut terminate), Ok(mut hangup), Ok(mut quit)) = kinds {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
                _ = hangup.recv() => {}
                _ = quit.recv() => {}
            }
            return;
        }
        tracing::warn!("of the signals to end only Ctrl C can be caught");
    }
    if let Err(error) = tokio::signal::ctrl_c().await {
        tracing::warn!(%error, "Ctrl C can't be caught");
        std::future::pending::<()>().await;
    }
}

/// Submits an op and waits for its answer; `json` prints what else comes.
pub(super) async fn answer_to(
    engine: &mut EngineHandle,
    op: Op,
    json: bool,
) -> anyhow::Result<Answer> {
    let id = engine.submit(op)?;
    loop {
        match engine.next().await {
            Some(Update::Answer { re, answer }) if re == id => {
                return match answer {
                    Answer::Refused { failure } => Err(failure.into()),
                    answer => Ok(answer),
                };
            }
            Some(Update::Alarm { failure }) => return Err(failure.into()),
            Some(Update::Event(event)) if json => {
                output::print_line(&serde_json::to_string(&event)?)?;
            }
            Some(_) => {}
            None => {
                return Err(Failure::new(FailureKind::Internal, "The engine has stopped.").into());
            }
        }
    }
}

/// An answer that the protocol doesn't foresee.
pub(super) fn unexpected(answer: &Answer) -> Failure {
    Failure::new(
        FailureKind::Internal,
        format!("The engine gave an unexpected answer: {answer:?}"),
    )
}
