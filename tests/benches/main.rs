//! What the program costs, measured from outside and printed beside the limits that it must keep.
//!
//! Figures are of whole processes, start to exit: wall time and the largest resident size, as the
//! operating system accounts for them. Medians of several runs count, since a shared machine's single
//! runs don't. A limit that is broken ends the bench with an error.

#![expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "a bench starts programs, reads the clock and prints what it saw"
)]

mod measure;
mod tool_loop;

fn main() -> std::process::ExitCode {
    let mut report = measure::Report::default();
    tool_loop::run(&mut report);
    report.end()
}
