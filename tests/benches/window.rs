//! The whole program with its window, on a virtual display: its start, its memory, its rest.
//!
//! A window's first frame costs what the machine's display costs, so it is measured against an empty window of the
//! same library, started the moment before on the same display.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use wisp_tests::{PATIENCE, Screen, wisp};

use crate::measure::{Report, note};

/// From start to the first frame: how often an empty window's time, and how long, in milliseconds. An empty window
/// of this library takes 70 ms on one two-core machine, GTK's editor mousepad 123, an empty Chromium 311.
const FIRST_RATIO: f64 = 2.0;
const FIRST_LIMIT: f64 = 150.0;
/// Resident size with an empty session, in megabytes.
const MEMORY_LIMIT: f64 = 130.0;
/// How long the window is left alone.
const IDLE: Duration = Duration::from_secs(10);
/// What it may use of a core meanwhile, in percent.
const IDLE_LIMIT: f64 = 0.5;
/// Without a frame for so long, a window is at rest.
const QUIET: Duration = Duration::from_secs(2);

/// Measures.
pub(crate) fn run(report: &mut Report) {
    println!("the window");
    let Some(screen) = Screen::or_skip(&[]) else {
        return;
    };
    let home = TempDir::new().expect("no temporary folder");
    // A server on this computer needs no key, so that the window shows an empty session.
    std::fs::write(
        home.path().join("settings.toml"),
        "base_url = \"http://127.0.0.1:9\"\n",
    )
    .expect("the data folder can't be written");
    let ours = || first_frame(&screen, wisp(home.path()));
    let bare = || first_frame(&screen, Command::new(env!("CARGO_BIN_EXE_bare")));
    // Once for each, so that both are in the machine's memory.
    ours();
    bare();
    let mut best = f64::INFINITY;
    report.at_most(
        "first frame, against an empty window's",
        FIRST_RATIO,
        "times",
        || {
            let (ours, bare) = (ours(), bare());
            note(&format!(
                "(ours {ours:.0} ms, an empty window {bare:.0} ms)"
            ));
            best = best.min(ours);
            ours / bare
        },
    );
    let mut known = Some(best);
    report.at_most("first frame", FIRST_LIMIT, "ms", || {
        known.take().unwrap_or_else(&ours)
    });
    rest(report, &screen, home.path());
}

/// Memory and rest of a window that nobody touches.
fn rest(report: &mut Report, screen: &Screen, home: &Path) {
    let window = Traced::start(screen, wisp(home));
    window.wait_for_rest();
    report.at_most("resident with an empty session", MEMORY_LIMIT, "MB", || {
        resident(window.child.id())
    });
    let mut used = 0.0;
    report.at_most("frames drawn in ten seconds at rest", 0.0, "frames", || {
        let before = processor(window.child.id());
        let frames = window.frames_within(IDLE);
        used = (processor(window.child.id()) - before) / IDLE.as_secs_f64() * 100.0;
        frames
    });
    let mut known = Some(used);
    report.at_most("of a core at rest", IDLE_LIMIT, "%", || {
        known.take().unwrap_or_else(|| {
            let before = processor(window.child.id());
            window.frames_within(IDLE);
            (processor(window.child.id()) - before) / IDLE.as_secs_f64() * 100.0
        })
    });
}

/// Milliseconds from a program's start until its first frame is on the screen.
fn first_frame(screen: &Screen, command: Command) -> f64 {
    let window = Traced::start(screen, command);
    let (at, _) = window.lines.recv_timeout(PATIENCE).expect("no frame came");
    at.duration_since(window.started).as_secs_f64() * 1000.0
}

/// A program that says when it has drawn a frame.
struct Traced {
    child: Child,
    started: Instant,
    lines: Receiver<(Instant, String)>,
}

impl Traced {
    fn start(screen: &Screen, mut command: Command) -> Self {
        screen
            .show(&mut command)
            .env("WISP_TRACE_FRAMES", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let started = Instant::now();
        let mut child = command.spawn().expect("the program does not start");
        let said = BufReader::new(child.stderr.take().expect("it has no standard error"));
        let (sender, lines) = sync_channel(100_000);
        std::thread::Builder::new()
            .name("frames".to_owned())
            .spawn(move || {
                let frames = said.lines().map_while(Result::ok);
                for line in frames.filter(|line| line.starts_with("frame ")) {
                    if sender.send((Instant::now(), line)).is_err() {
                        return;
                    }
                }
            })
            .expect("a thread does not start");
        Self {
            child,
            started,
            lines,
        }
    }

    fn wait_for_rest(&self) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.lines.recv_timeout(QUIET) {
                Ok(_) => assert!(Instant::now() < deadline, "the window never rests"),
                Err(RecvTimeoutError::Timeout) => return,
                Err(RecvTimeoutError::Disconnected) => panic!("the program ended by itself"),
            }
        }
    }

    fn frames_within(&self, time: Duration) -> f64 {
        let end = Instant::now() + time;
        let mut frames = 0.0;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok((_, frame)) => {
                    note(&format!("({frame} was drawn)"));
                    frames += 1.0;
                }
                Err(RecvTimeoutError::Timeout) => return frames,
                Err(RecvTimeoutError::Disconnected) => panic!("the program ended by itself"),
            }
        }
    }
}

impl Drop for Traced {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// A process's resident size, in megabytes.
fn resident(process: u32) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status"))
        .expect("the process has no status");
    let kilobytes = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .and_then(|rest| rest.trim().strip_suffix("kB"))
        .and_then(|number| number.trim().parse::<f64>().ok())
        .expect("the status has no resident size");
    kilobytes * 1024.0 / 1_000_000.0
}

/// Seconds of a processor that a process has used, all its threads together.
fn processor(process: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"))
        .expect("the process has no figures");
    // The name, in brackets, may hold spaces; behind it the state is the first field.
    let fields: Vec<&str> = stat
        .rsplit_once(')')
        .map(|(_, rest)| rest.split_whitespace().collect())
        .unwrap_or_default();
    let ticks: f64 = fields[11..=12]
        .iter()
        .map(|ticks| ticks.parse::<f64>().expect("ticks are a number"))
        .sum();
    // The kernel counts hundredths for its users, whatever it counts itself.
    ticks / 100.0
}
