//! Running a command several times, and the table of what came of it.

use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use wait4::Wait4;

/// Counted runs of each command, after one that isn't.
const RUNS: usize = 9;
/// How often a figure is measured before its limit counts as broken.
const TRIES: usize = 5;

/// One command's medians.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    /// From start to exit.
    pub(crate) wall: Duration,
    /// The largest resident size, in bytes.
    pub(crate) peak: u64,
}

/// Runs a command several times to its end, which must be a good one.
pub(crate) fn cost(command: impl Fn() -> Command) -> Cost {
    let mut walls = Vec::new();
    let mut peaks = Vec::new();
    for run in 0..=RUNS {
        let mut command = command();
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let started = Instant::now();
        let child = command.spawn().expect("the program does not start");
        let used = child.wait4().expect("the program can't be waited for");
        let wall = started.elapsed();
        assert!(
            used.status.success(),
            "{command:?} ended with {:?}",
            used.status
        );
        if run > 0 {
            walls.push(wall);
            peaks.push(used.rusage.maxrss);
        }
    }
    walls.sort();
    peaks.sort_unstable();
    Cost {
        wall: walls[RUNS / 2],
        peak: peaks[RUNS / 2],
    }
}

/// Lines of figures, and whether all limits were kept.
#[derive(Default)]
pub(crate) struct Report {
    broken: usize,
    checked: usize,
}

impl Report {
    /// A figure with its limit, both in the same unit. One that is over is measured again: a busy moment of
    /// a shared machine is no fault of ours, and a fault shows every time.
    pub(crate) fn at_most(
        &mut self,
        what: &str,
        limit: f64,
        unit: &str,
        mut measure: impl FnMut() -> f64,
    ) {
        let mut figure = measure();
        for _ in 1..TRIES {
            if figure <= limit {
                break;
            }
            note(&format!("({what}: {figure:.3} {unit}, measured again)"));
            figure = figure.min(measure());
        }
        let kept = figure <= limit;
        self.checked += 1;
        self.broken += usize::from(!kept);
        let share = if limit > 0.0 {
            format!(" ({:.0} %)", figure / limit * 100.0)
        } else {
            String::new()
        };
        let mark = if kept { "ok  " } else { "OVER" };
        println!("{mark} {what}: {figure:.3} {unit}, limit {limit} {unit}{share}");
    }

    /// The closing line and the exit status.
    pub(crate) fn end(self) -> ExitCode {
        println!(
            "{} passed, {} failed",
            self.checked - self.broken,
            self.broken
        );
        if self.broken == 0 {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        }
    }
}

/// A figure by itself.
pub(crate) fn note(what: &str) {
    println!("     {what}");
}
