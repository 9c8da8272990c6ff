//! The tool loop: so many rounds of a model that asks for a read each time, durable store included.
//!
//! The scripted model runs in a process of its own on loopback, so that only ours is measured.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;
use wisp_engine::protocol::{Answer, EventMsg, Mode, Op, Update};
use wisp_engine::{EngineConfig, Settings, StoreLocation};
use wisp_tests::{Program, wisp};

use crate::measure::{Cost, Report, cost, note};

/// Rounds, and the whole process's limit in seconds. The best of eight agents measured on one two-core
/// machine took 0.20 s for one round, 0.85 s for 20 and 1.22 s for 100; these are ours.
const LIMITS: [(u32, f64); 3] = [(1, 0.04), (20, 0.17), (100, 0.24)];
/// The largest resident size, in megabytes.
const PEAK_LIMIT: f64 = 50.0;
/// What one more round may cost, in milliseconds.
const ROUND_LIMIT: f64 = 0.8;
/// Events of a session before which and after which a round must cost the same.
const LONG_SESSION_EVENTS: usize = 10_000;
/// How much more it may cost after them: nothing but what a noisy machine adds.
const FLAT_RATIO: f64 = 1.25;

/// Measures.
pub(crate) fn run(report: &mut Report) {
    let home = TempDir::new().expect("no temporary folder");
    let folder = TempDir::new().expect("no temporary folder");
    let lines: Vec<String> = (1..=2000).map(|line| format!("line {line}")).collect();
    std::fs::write(folder.path().join("numbers.txt"), lines.join("\n"))
        .expect("the folder can't be written");
    let mut model = Program::start(wisp(home.path()).arg("simulate"));
    let address = model.wait_for("http://").trim().to_owned();

    println!("tool loop, whole process, against a scripted model on loopback");
    let exec = |home: &Path, rounds: u32, session: Option<&str>| -> Command {
        let mut command = wisp(home);
        command
            .env("WISP_BASE_URL", &address)
            .env("WISP_PROVIDER", "deepseek")
            .args(["exec", "--approve", "never", "--set", "max_steps=500"]);
        match session {
            Some(session) => command.args(["--session", session]),
            None => command.arg("--dir").arg(folder.path()),
        };
        command.arg(format!("Read on [bench:{rounds}]"));
        command
    };
    let fresh = |rounds: u32| cost(|| exec(home.path(), rounds, None));
    let mut peak = 0;
    for (rounds, limit) in LIMITS {
        report.at_most(&format!("{rounds} rounds"), limit, "s", || {
            let cost = fresh(rounds);
            peak = peak.max(cost.peak);
            cost.wall.as_secs_f64()
        });
    }
    report.at_most("largest resident size", PEAK_LIMIT, "MB", || {
        megabytes(peak)
    });
    report.at_most("one more round", ROUND_LIMIT, "ms", || {
        per_round(fresh(1), fresh(100), 99)
    });
    long_session(report, exec, folder.path());
    if let Some(least) = least_loop(&address) {
        for (rounds, _) in LIMITS {
            let ours = fresh(rounds);
            let theirs = cost(|| least(rounds));
            note(&format!(
                "{rounds} rounds: {:.2} times the time and {:.2} times the memory of the least loop in Python ({:.3} s, {:.0} MB)",
                ours.wall.as_secs_f64() / theirs.wall.as_secs_f64(),
                megabytes(ours.peak) / megabytes(theirs.peak),
                theirs.wall.as_secs_f64(),
                megabytes(theirs.peak),
            ));
        }
    }
}

/// A round in a session of many events, against one in a session of few. The events are those of calls
/// without a model, so that both sessions' requests are equally long: what differs is the store alone.
fn long_session(
    report: &mut Report,
    exec: impl Fn(&Path, u32, Option<&str>) -> Command,
    folder: &Path,
) {
    let home = TempDir::new().expect("no temporary folder");
    let sessions = [10, LONG_SESSION_EVENTS]
        .map(|events| (filled_session(home.path(), folder, events), events));
    report.at_most("a round after the 10,000th event, against the 10th", FLAT_RATIO, "times", || {
        let rounds = sessions.each_ref().map(|(session, events)| {
            let few = cost(|| exec(home.path(), 1, Some(session)));
            let many = cost(|| exec(home.path(), 101, Some(session)));
            let round = per_round(few, many, 100);
            note(&format!(
                "a session of {events} events opens and runs one round in {:.3} s; one more takes {round:.3} ms",
                few.wall.as_secs_f64()
            ));
            round
        });
        rounds[1] / rounds[0]
    });
}

/// A session with so many events, made by single calls.
fn filled_session(home: &Path, folder: &Path, events: usize) -> String {
    let mut engine = wisp_engine::start(EngineConfig {
        store: StoreLocation::Folder(home.to_owned()),
        home: Some(home.to_owned()),
        settings: Settings::default(),
        window: false,
        waker: std::sync::Arc::new(|| {}),
    })
    .expect("the engine does not start");
    let create = Op::CreateSession {
        folder: Some(folder.to_owned()),
        mode: Mode::Chat,
    };
    engine.submit(create).expect("the engine takes nothing");
    let mut session = None;
    let mut seen = 0;
    while let Some(update) = engine.next_blocking() {
        let next = match update {
            Update::Answer {
                answer: Answer::SessionReady { session: made, .. },
                ..
            } => {
                session = Some(made.id);
                true
            }
            Update::Event(event) => {
                seen += 1;
                matches!(event.msg, EventMsg::RunFinished { .. })
            }
            _ => false,
        };
        let Some(session) = session.clone().filter(|_| next) else {
            continue;
        };
        if seen >= events {
            return session.as_str().to_owned();
        }
        let call = Op::CallTool {
            session,
            tool: "local_time_now".to_owned(),
            arguments: String::new(),
        };
        engine.submit(call).expect("the engine takes nothing");
    }
    panic!("the engine stopped");
}

/// Milliseconds of each further round.
fn per_round(few: Cost, many: Cost, further: u32) -> f64 {
    many.wall.saturating_sub(few.wall).as_secs_f64() * 1000.0 / f64::from(further)
}

#[expect(
    clippy::cast_precision_loss,
    reason = "megabytes are shown, not reckoned with"
)]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1_000_000.0
}

/// The same loop with nothing around it: no store, no checks, no tools but one. `None` without Python.
fn least_loop(address: &str) -> Option<impl Fn(u32) -> Command> {
    let found = Command::new("python3").arg("--version").output();
    if !found.is_ok_and(|found| found.status.success()) {
        note("(no python3: the least loop is not compared)");
        return None;
    }
    let address = address.to_owned();
    Some(move |rounds: u32| {
        let mut command = Command::new("python3");
        command.args([
            "-c",
            include_str!("least_loop.py"),
            &address,
            &rounds.to_string(),
        ]);
        command
    })
}
