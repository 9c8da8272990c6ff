//! The two commands of Wisp, `cargo xtask run` and `cargo xtask test`, and `cargo xtask bench`.
//!
//! Each looks for what the system lacks, installs it where it may, says plainly what to type where it
//! may not, and then does its job. Standard library alone, so that a fresh clone waits for nothing
//! before it is told something.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "starting programs, reading files and talking to a terminal is all that this program does"
)]

mod needs;
mod packages;
mod run;
mod sections;
mod test;
mod workspace;

use std::ffi::OsString;
use std::process::ExitCode;

const HELP: &str = "\
The commands of Wisp:

  cargo xtask run [-- ARGUMENTS]  build Wisp and show its main job; with arguments, run `wisp ARGUMENTS`
  cargo xtask test                formatting, lints, all tests, the release build and the benches
  cargo xtask bench               the release build and the benches

Each first installs what the system lacks, or says what to type.

Example: cargo xtask run -- exec --simulate \"What can you do?\"";

/// The exit status for a command line that was not understood.
const USAGE: u8 = 2;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let command = arguments.next();
    let rest: Vec<OsString> = arguments.collect();
    let outcome = match command.as_ref().and_then(|word| word.to_str()) {
        Some("run") => run::run(after_dashes(rest)),
        Some("test") if rest.is_empty() => test::test(),
        Some("bench") if rest.is_empty() => test::bench(),
        Some("help" | "--help" | "-h") => {
            println!("{HELP}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprintln!("{HELP}");
            return ExitCode::from(USAGE);
        }
    };
    match outcome {
        Ok(status) => ExitCode::from(status),
        Err(failure) => {
            eprintln!("\n{failure}");
            ExitCode::FAILURE
        }
    }
}

/// The arguments without the `--` that sets them apart.
fn after_dashes(mut arguments: Vec<OsString>) -> Vec<OsString> {
    if arguments.first().is_some_and(|first| first == "--") {
        arguments.remove(0);
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_dashes_are_dropped() {
        let words = |list: &[&str]| list.iter().map(OsString::from).collect::<Vec<_>>();
        assert_eq!(
            after_dashes(words(&["--", "exec", "--", "x"])),
            words(&["exec", "--", "x"])
        );
        assert_eq!(after_dashes(words(&["exec"])), words(&["exec"]));
        assert!(after_dashes(Vec::new()).is_empty());
    }
}
