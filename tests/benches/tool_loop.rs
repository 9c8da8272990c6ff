//! The tool loop: so many rounds of a model that asks for a read each time, durable store included.
//!
//! The scripted model runs in a process of its own on loopback, so that only ours is measured.

use std::process::Command;
use std::time::Duration;

use tempfile::TempDir;
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
/// How much more a round may cost in a session of so many events: the request that carries them is longer.
const FLAT_RATIO: f64 = 1.6;

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
    let exec = |home: &std::path::Path, rounds: u32, session: Option<&str>| -> Command {
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
    let mut costs = Vec::new();
    for (rounds, limit) in LIMITS {
        let cost = cost(|| exec(home.path(), rounds, None));
        report.at_most(
            &format!("{rounds} rounds"),
            cost.wall.as_secs_f64(),
            limit,
            "s",
        );
        costs.push((rounds, cost));
    }
    let peak = costs.iter().map(|(_, cost)| cost.peak).max().unwrap_or(0);
    report.at_most("largest resident size", megabytes(peak), PEAK_LIMIT, "MB");
    report.at_most("one more round", per_round(&costs), ROUND_LIMIT, "ms");
    long_session(report, &costs, |home, rounds, session| {
        exec(home, rounds, session)
    });
    if let Some(least) = least_loop(&address) {
        for (rounds, ours) in &costs {
            let theirs = cost(|| least(*rounds));
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

/// A round in a session of many events, against a round in a new one.
fn long_session(
    report: &mut Report,
    fresh: &[(u32, Cost)],
    exec: impl Fn(&std::path::Path, u32, Option<&str>) -> Command,
) {
    let home = TempDir::new().expect("no temporary folder");
    let history = wisp_engine::History::of(home.path());
    let mut session: Option<String> = None;
    let mut events = 0;
    while events < LONG_SESSION_EVENTS {
        let done = exec(home.path(), 400, session.as_deref())
            .output()
            .expect("the program does not start");
        assert!(
            done.status.success(),
            "{}",
            String::from_utf8_lossy(&done.stderr)
        );
        let id = history.sessions().expect("no history").remove(0).id;
        events = history.session(&id).expect("no session").1.len();
        session = Some(id.as_str().to_owned());
    }
    let few = cost(|| exec(home.path(), 1, session.as_deref()));
    let many = cost(|| exec(home.path(), 21, session.as_deref()));
    let round = (many.wall.saturating_sub(few.wall)).as_secs_f64() * 1000.0 / 20.0;
    note(&format!(
        "a session of {events} events: it opens and runs one round in {:.3} s, one more round takes {round:.3} ms",
        few.wall.as_secs_f64()
    ));
    report.at_most(
        "a round after the 10,000th event, against a new session's",
        round / per_round(fresh),
        FLAT_RATIO,
        "times",
    );
}

fn per_round(costs: &[(u32, Cost)]) -> f64 {
    match (costs.first(), costs.last()) {
        (Some((few, least)), Some((many, most))) if many > few => {
            (most.wall.saturating_sub(least.wall)).as_secs_f64() * 1000.0 / f64::from(many - few)
        }
        _ => Duration::MAX.as_secs_f64(),
    }
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
