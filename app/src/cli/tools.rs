//! `wisp tools`: what a run's model would be told of its tools.

use std::sync::Arc;

use wisp_engine::protocol::{Answer, Op};
use wisp_engine::{EngineConfig, Settings, StoreLocation};

use super::args::ToolsArgs;
use super::exec::{answer_to, unexpected};
use super::exit::Exit;
use super::output;

/// Prints the snapshot.
pub(super) fn run(args: &ToolsArgs) -> anyhow::Result<Exit> {
    let mut engine = wisp_engine::start(EngineConfig {
        store: StoreLocation::Memory,
        home: None,
        settings: Settings::default(),
        waker: Arc::new(|| {}),
    })?;
    let op = Op::ListTools {
        mode: args.mode.into(),
        folder: !args.no_folder,
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    match runtime.block_on(answer_to(&mut engine, op, false))? {
        Answer::Tools { tools } => output::print_line(&serde_json::to_string_pretty(&tools)?)?,
        other => return Err(unexpected(&other).into()),
    }
    Ok(Exit::Done)
}
