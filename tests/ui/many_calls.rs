//! A run of thousands of calls: all of them are there, and the window stays as quick as with a few.

use std::time::{Duration, Instant};

use eframe::egui::accesskit::Role;
use eframe::egui::{Key, Modifiers};
use wisp::state::transcript::CallState;
use wisp_engine::protocol::CallStatus;

use crate::harness::{ANSWER, Home, View};

/// Calls of one reply; no reply may ask for more.
const AT_ONCE: usize = 1_000;
/// Replies that ask for so many.
const STEPS: usize = 5;
/// Frames whose median counts.
const FRAMES: usize = 31;
/// How much longer a frame may take with thousands of calls than with a few, and how much more time it may take for
/// what a measurement on a busy machine is worth.
const FACTOR: u32 = 4;
const SLACK: Duration = Duration::from_millis(20);

/// More rows than any window shows.
const IN_SIGHT: usize = 120;

/// A step that reads lines one by one. Each has a file of its own, so that no call is the same as one before it.
fn step(number: usize) -> String {
    format!(
        "[[turns]]
text = 'Step {number} reads.'
calls = [{{ name = 'files_read', copies = {AT_ONCE}, arguments = {{ path = '{}', startLine = '{{{{=copy}}}}', \
         endLine = '{{{{=copy}}}}' }} }}]
",
        file_of(number)
    )
}

fn file_of(step: usize) -> String {
    format!("numbers{step}.txt")
}

/// All steps, and an answer that names the last line.
fn scenario() -> String {
    let steps: Vec<String> = (0..STEPS).map(step).collect();
    format!(
        "name = 'many'
title = 'Thousands of calls'
tag = '[many]'
prompt = 'Read all [many]'

{}
[[turns]]
text = 'All was read; the last is: {{{{result.999.text}}}}'

[expect]
outcome = 'done'
answer = ['line 1000']
requests = {}
",
        steps.join("\n"),
        STEPS + 1
    )
}

/// The median time of a frame in which the list is drawn anew.
fn frame_time(view: &mut View) -> Duration {
    let mut times: Vec<Duration> = (0..FRAMES)
        .map(|_| {
            let started = Instant::now();
            view.frame(Vec::new());
            started.elapsed()
        })
        .collect();
    times.sort_unstable();
    times.get(FRAMES / 2).copied().unwrap()
}

/// How many calls of the session on screen are done.
fn done(view: &View) -> usize {
    let state = view.state();
    let runs = &state.open_session().unwrap().transcript.runs;
    let calls = (runs.iter().flat_map(|run| &run.steps)).flat_map(|step| &step.calls);
    let is_done = |state: &CallState| matches!(state, CallState::Ended(report) if report.status == CallStatus::Done);
    calls.filter(|call| is_done(&call.state)).count()
}

/// Clicks the line that a step is folded to.
#[track_caller]
fn click_step(view: &mut View, step: usize) {
    let start = format!("Step {step}, {AT_ONCE} tools");
    let widgets = view.all();
    let name = (widgets.iter().map(|seen| &seen.name)).find(|name| name.starts_with(&start));
    let name = name.unwrap_or_else(|| panic!("no {start}: {}", view.shown()));
    view.click(name);
    view.rest();
    // It is where it was, with its calls below it.
    assert!(view.find(name).is_some(), "{}", view.shown());
}

/// How many calls are drawn.
fn rows(view: &View) -> usize {
    let widgets = view.all();
    (widgets.iter())
        .filter(|seen| seen.role == Role::Button && seen.name.contains("files_read"))
        .count()
}

#[test]
fn a_run_of_five_thousand_calls_is_whole_and_as_quick_as_a_short_one() {
    let home = Home::with(&[&scenario()]);
    for step in 0..STEPS {
        let lines: Vec<String> = (1..=AT_ONCE).map(|line| format!("line {line}")).collect();
        let file = home.folder().join(file_of(step));
        std::fs::write(file, lines.join("\n")).unwrap();
    }
    let mut view = home.open();
    view.say("Hello");
    let few = frame_time(&mut view);
    view.say("Read all [many]");
    assert_eq!(done(&view), AT_ONCE * STEPS, "{}", view.shown());
    let limit = few * FACTOR + SLACK;
    let folded = frame_time(&mut view);
    assert!(
        folded < limit,
        "{few:?} with a few calls, {folded:?} with all, folded"
    );
    // The last one first: what opens pushes the ones below it out of sight.
    for step in (1..=STEPS).rev() {
        click_step(&mut view, step);
    }
    let open = frame_time(&mut view);
    assert!(open < limit, "{few:?} with a few calls, {open:?} with all");
    let rows = rows(&view);
    assert!(
        (1..IN_SIGHT).contains(&rows),
        "{rows} rows are laid out: {}",
        view.shown()
    );
    // What was opened is nothing new, and the end is a click away.
    assert!(!view.says(" new"), "{}", view.shown());
    view.click("To the end");
    view.rest();
    assert!(
        view.says("All was read; the last is: line 1000"),
        "{}",
        view.shown()
    );
    view.press(Key::M, Modifiers::COMMAND);
    view.say("Hello again");
    assert!(view.says(ANSWER), "{}", view.shown());
    view.close();
    let mut view = home.open();
    view.click("Hello");
    view.until("the session", |view| done(view) == AT_ONCE * STEPS);
    assert!(view.says(ANSWER), "{}", view.shown());
}
