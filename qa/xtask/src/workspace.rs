//! Where this workspace is, and how cargo is called in it.

use std::env;
use std::path::PathBuf;
use std::process::Command;

/// The folder of the workspace's `Cargo.toml`. What cargo says now is above what was built in: a target
/// folder may be shared by several clones.
pub(crate) fn root() -> PathBuf {
    let xtask = env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    xtask.ancestors().nth(2).unwrap_or(&xtask).to_owned()
}

/// The cargo that runs this program, in the workspace's folder.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root()).args(arguments);
    command
}

/// The built program.
pub(crate) fn wisp(profile: &str) -> PathBuf {
    built(profile, "wisp")
}

/// A built program of this workspace, by its name.
pub(crate) fn built(profile: &str, name: &str) -> PathBuf {
    target()
        .join(profile)
        .join(format!("{name}{}", env::consts::EXE_SUFFIX))
}

/// The folder cargo builds into.
pub(crate) fn target() -> PathBuf {
    match env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root().join(folder),
        None => root().join("target"),
    }
}

/// Whether an automatic check runs this: nobody is there to answer, and nothing may be skipped.
pub(crate) fn is_ci() -> bool {
    env::var("CI").is_ok_and(|value| !matches!(value.as_str(), "" | "0" | "false"))
}
