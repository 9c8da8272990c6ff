//! What the program costs, measured from outside and printed beside the limits that it must keep.
//!
//! Figures are of whole processes, as the operating system accounts for them, but for the work of single frames.
//! Medians of several runs count, since a shared machine's single runs don't. A limit that is broken ends the bench
//! with an error.

#![expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "a bench starts programs, reads the clock and prints what it saw"
)]

mod frames;
mod measure;
mod tool_loop;
#[cfg(target_os = "linux")]
mod window;

/// Measures something.
type Bench = fn(&mut measure::Report);

/// What there is to measure, by name.
const BENCHES: &[(&str, Bench)] = &[
    ("tool_loop", tool_loop::run),
    ("frames", frames::run),
    #[cfg(target_os = "linux")]
    ("window", window::run),
];

/// Measures everything, or what is named: `cargo bench --package wisp-benches -- frames`.
fn main() -> std::process::ExitCode {
    // Cargo adds an option of its own.
    let only: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with('-'))
        .collect();
    let mut report = measure::Report::default();
    for (name, run) in BENCHES {
        if only.is_empty() || only.iter().any(|only| only == name) {
            run(&mut report);
        }
    }
    report.end()
}
