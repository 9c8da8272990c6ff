//! `wisp simulate`, and the scripted model behind `wisp exec --simulate`.

use std::path::{Path, PathBuf};

use anyhow::Context;
use wisp_engine::Settings;
use wisp_qa::Simulator;

use super::args::SimulateArgs;
use super::client;
use super::exit::Exit;
use super::output;

/// Sessions with the scripted model are kept in this folder of the data folder, apart from real ones.
const HOME: &str = "simulation";

/// Serves until it is stopped, then says what was wrong with the requests it got.
pub(super) fn run(args: &SimulateArgs) -> anyhow::Result<Exit> {
    let simulator = start(args.port)?;
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

/// Starts the scripted model on this port.
pub(super) fn start(port: u16) -> anyhow::Result<Simulator> {
    Simulator::start(wisp_qa::builtin(), port).with_context(|| {
        format!("The scripted model could not listen on port {port} of this computer")
    })
}

/// Where sessions with it are kept.
pub(super) fn home(home: &Path) -> PathBuf {
    home.join(HOME)
}

/// Settings that lead to it and nowhere else.
pub(super) fn settings(simulator: &Simulator) -> Settings {
    Settings {
        base_url: simulator.base_url(),
        api_key: None,
        model: wisp_qa::MODEL_NAME.to_owned(),
        provider: Some("deepseek".to_owned()),
        ..Settings::default()
    }
}

/// A fresh folder with what the prompt's scenario works on, when the prompt names one.
pub(super) fn workspace(prompt: &str) -> anyhow::Result<Option<PathBuf>> {
    let scenarios = wisp_qa::builtin();
    let Some(scenario) = scenarios
        .iter()
        .find(|scenario| scenario.is_named_in(prompt))
    else {
        return Ok(None);
    };
    let folder = tempfile::Builder::new()
        .prefix("wisp-simulation-")
        .tempdir()
        .context("A temporary folder could not be made")?
        .keep();
    wisp_qa::lay(scenario.workspace.as_deref().unwrap_or_default(), &folder).with_context(
        || {
            format!(
                "The scenario's files could not be written to {}",
                folder.display()
            )
        },
    )?;
    Ok(Some(folder))
}
