//! `wisp tools`: what a run's model would be told of its tools.

use wisp_engine::protocol::{Answer, Op};
use wisp_engine::{Settings, StoreLocation};

use super::args::ToolsArgs;
use super::client::{self, answer_to, unexpected};
use super::exit::Exit;
use super::output;

/// Prints the snapshot.
pub(super) fn run(args: &ToolsArgs) -> anyhow::Result<Exit> {
    let mut engine = client::start(StoreLocation::Memory, None, Settings::default())?;
    let op = Op::ListTools {
        mode: args.mode.into(),
        folder: !args.no_folder,
    };
    let runtime = client::runtime()?;
    match runtime.block_on(answer_to(&mut engine, op, false))? {
        Answer::Tools { tools } => output::print_line(&serde_json::to_string_pretty(&tools)?)?,
        other => return Err(unexpected(&other).into()),
    }
    Ok(Exit::Done)
}
