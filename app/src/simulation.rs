//! The scripted model as the command line and the window start it: where it listens, which settings lead to
//! it, where its sessions are kept, and what its scenarios work on.

use std::path::{Path, PathBuf};

use anyhow::Context;
use wisp_engine::Settings;
use wisp_qa::{Scenario, Simulator};

/// Sessions with the scripted model are kept in this folder of the data folder, apart from real ones.
const HOME: &str = "simulation";

/// The window that the scripted model is said to have, in tokens, so that its share can be seen.
const CONTEXT_TOKENS: u64 = 64_000;

/// Starts the scripted model on this port of the computer; 0 takes a free one.
pub fn start(port: u16) -> anyhow::Result<Simulator> {
    Simulator::start(wisp_qa::builtin(), port).with_context(|| {
        format!("The scripted model could not listen on port {port} of this computer")
    })
}

/// Where sessions with it are kept.
pub fn home(home: &Path) -> PathBuf {
    home.join(HOME)
}

/// Settings that lead to it and nowhere else.
pub fn settings(simulator: &Simulator) -> Settings {
    Settings {
        base_url: simulator.base_url(),
        api_key: None,
        model: wisp_qa::MODEL_NAME.to_owned(),
        provider: Some("deepseek".to_owned()),
        context_tokens: Some(CONTEXT_TOKENS),
        ..Settings::default()
    }
}

/// A fresh folder with what the prompt's scenario works on, when the prompt names one. It stays.
pub fn workspace(prompt: &str) -> anyhow::Result<Option<PathBuf>> {
    let scenarios = wisp_qa::builtin();
    let named = (scenarios.iter()).find(|scenario| scenario.is_named_in(prompt));
    named.map(lay).transpose()
}

/// A fresh folder with what this scenario works on. It stays.
pub fn lay(scenario: &Scenario) -> anyhow::Result<PathBuf> {
    let folder = tempfile::Builder::new()
        .prefix("wisp-simulation-")
        .tempdir()
        .context("A temporary folder could not be made")?
        .keep();
    let files = scenario.workspace.as_deref().unwrap_or_default();
    wisp_qa::lay(files, &folder).with_context(|| {
        let folder = folder.display();
        format!("The scenario's files could not be written to {folder}")
    })?;
    Ok(folder)
}
