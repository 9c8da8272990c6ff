//! The program.

use std::process::ExitCode;

#[expect(
    clippy::print_stderr,
    reason = "without a window there is only the terminal to say it"
)]
fn main() -> ExitCode {
    match wisp::window::open() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}
