//! The command line: one request, one tool call, the sessions, the scripted model, without a window.
//!
//! It is a client of the engine like the window: it submits plain data and prints the updates. Answers
//! go to standard output, progress and cards to standard error, so that a pipe gets the answer alone.

mod args;
mod call;
mod card;
mod client;
mod exec;
mod exit;
mod hand_over;
mod keys;
mod moment;
mod output;
mod progress;
mod sessions;
mod simulate;
mod tools;
mod transcript;

use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};
use exit::Exit;

use crate::pages::HostFactory;

/// Runs what the arguments say. A window shows its pages by this; without it, by a process of their own, or where
/// that isn't done or wanted the program that shows them itself takes over.
pub fn main(pages: Option<HostFactory>) -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            // Help and version are no errors; clap knows which stream each belongs to.
            let code = if error.use_stderr() {
                Exit::Usage
            } else {
                Exit::Done
            };
            return match error.print() {
                Ok(()) => code.into(),
                Err(_) => Exit::Failed.into(),
            };
        }
    };
    log_to_stderr();
    let done = match args.command {
        None => {
            let start = crate::window::Start {
                simulate: args.simulate,
                qa: args.qa,
                folder: args.dir,
                ..crate::window::Start::default()
            };
            match pages.map_or_else(hand_over::factory, Ok) {
                Ok(pages) => crate::window::open(start, pages).map(|()| Exit::Done),
                Err(code) => return code,
            }
        }
        Some(Command::Exec(args)) => exec::run(&args),
        Some(Command::Call(args)) => call::run(args),
        Some(Command::Simulate(args)) => simulate::run(&args),
        Some(Command::Sessions(args)) => sessions::run(args),
        Some(Command::Tools(args)) => tools::run(&args),
    };
    match done {
        Ok(exit) => exit.into(),
        // Whoever read the output has gone away; there is nobody to complain to.
        Err(error) if output::is_broken_pipe(&error) => Exit::Failed.into(),
        Err(error) => {
            output::complain(&format!("wisp: {error:#}"));
            exit::of_error(&error).into()
        }
    }
}

/// Logs go to standard error when `WISP_LOG` asks for them.
fn log_to_stderr() {
    let Ok(filter) = tracing_subscriber::EnvFilter::try_from_env("WISP_LOG") else {
        return;
    };
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .init();
}
