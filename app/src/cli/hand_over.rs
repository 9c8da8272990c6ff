//! Who opens the window: this program, which shows pages through a process of their own, or the one beside it that
//! shows them itself.
//!
//! On Linux the person may want the second: `pages = "in_process"` in the settings' table `[window]`. On macOS and
//! Windows a view can't be put into another process's window, and a host in the window's process is not written for
//! them yet: there each web tab says that no pages can be shown.

#![expect(
    clippy::disallowed_methods,
    reason = "the program beside this one takes its place, with all it was given"
)]

use std::process::{Command, ExitCode};

use wisp_engine::{PagesIn, WindowSettings};

use super::output;
use crate::pages::{ChildProcess, HostFactory, Program};

/// What shows pages in this program's window; or how this program ends, because the other one took over.
pub(super) fn factory() -> Result<HostFactory, ExitCode> {
    if !cfg!(target_os = "linux") || !is_wanted() {
        return Ok(ChildProcess::factory());
    }
    let program = Program::usual();
    let mut command = Command::new(&program.path);
    command.args(std::env::args_os().skip(1));
    match run(&mut command) {
        Ok(code) => Err(code),
        Err(error) => {
            let path = program.path.to_string_lossy();
            output::complain(&format!(
                "wisp: The program that shows pages in the window's process could not be started: {error}: {path}"
            ));
            // The window is of use without pages, and each page says what it lacks.
            Ok(ChildProcess::factory())
        }
    }
}

/// Whether the settings ask for it. What is wrong with them is said by the window.
fn is_wanted() -> bool {
    wisp_engine::home().is_ok_and(|home| WindowSettings::load(&home).0.pages == PagesIn::InProcess)
}

/// Comes back only when it could not be started.
#[cfg(unix)]
fn run(command: &mut Command) -> std::io::Result<ExitCode> {
    use std::os::unix::process::CommandExt as _;
    Err(command.exec())
}

/// Waits for its end.
#[cfg(not(unix))]
fn run(command: &mut Command) -> std::io::Result<ExitCode> {
    let status = command.status()?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}
