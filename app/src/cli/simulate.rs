//! `wisp simulate`.

use super::args::SimulateArgs;
use super::client;
use super::exit::Exit;
use super::output;
use crate::simulation;

/// Serves until it is stopped, then says what was wrong with the requests it got.
pub(super) fn run(args: &SimulateArgs) -> anyhow::Result<Exit> {
    let simulator = simulation::start(args.port)?;
    output::complain("This is a simulation: a scripted model, no real one. Ctrl C stops it.");
    output::print_line(&simulator.base_url())?;
    let runtime = client::runtime()?;
    runtime.block_on(client::stop_signal());
    let violations = simulator.log().violations;
    for violation in &violations {
        output::complain(&format!("A request was wrong: {}", violation.message));
    }
    Ok(if violations.is_empty() {
        Exit::Done
    } else {
        Exit::Failed
    })
}
