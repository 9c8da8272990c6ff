//! A frame's own work in a long session: taking events in, layout and tessellation, without a screen.

use std::time::{Duration, Instant};

use eframe::egui::{Context, Pos2, RawInput, Rect, Vec2};
use serde_json::json;
use tempfile::TempDir;
use wisp::bridge::{Link, Wake, Worker};
use wisp::window::WindowApp;
use wisp_engine::protocol::{
    CallId, CallReport, CallRequest, CallStatus, Event, EventId, EventMsg, Mode, RunId, RunOutcome,
    SessionId, SessionSummary, Usage,
};

use crate::measure::{Report, note};

/// Requests of the session; each is five items: its words, a step, that step's two calls, the answer.
const RUNS: u32 = 2_000;
/// Tokens that stream in, a second.
const TOKENS_A_SECOND: usize = 2_000;
/// Frames a second.
const FRAMES_A_SECOND: usize = 60;
/// Frames that are counted, after as many that aren't as a second has.
const FRAMES: usize = 600;
/// The limits of a frame's work, in milliseconds.
const MEDIAN_LIMIT: f64 = 3.0;
const LONGEST_LIMIT: f64 = 8.0;
/// From the session's events to its first frame, in milliseconds.
const OPEN_LIMIT: f64 = 100.0;

/// An answer as models write them.
const ANSWER: &str = "## What was found\n\nThe file holds **two** settings that disagree: `retries` is 5 in one \
place and 3 in another. The later one wins, so three tries are made.\n\n- `config.toml` sets `retries = 5`\n- \
`main.rs` reads it, and then *overwrites* it\n\n```rust\nfn retries(config: &Config) -> u32 {\n    \
config.retries.min(3)\n}\n```\n\nNothing was changed.\n\n";

/// Measures.
pub(crate) fn run(report: &mut Report) {
    println!("a frame's own work, {} items", RUNS * 5);
    let events = session_events();
    report.at_most(
        "opening the session, to its first frame",
        OPEN_LIMIT,
        "ms",
        || {
            let mut window = Window::new();
            // The window has been there before, with its fonts.
            window.frame();
            let started = Instant::now();
            window.app.show_session(summary(), &events);
            window.frame();
            millis(started.elapsed())
        },
    );
    let mut longest = f64::INFINITY;
    report.at_most("median while text streams", MEDIAN_LIMIT, "ms", || {
        let mut times = stream(&events);
        times.sort_unstable();
        longest = longest.min(millis(times[FRAMES * 99 / 100]));
        note(&format!(
            "(the longest frame: {:.3} ms)",
            millis(times[FRAMES - 1])
        ));
        millis(times[FRAMES / 2])
    });
    let mut first = Some(longest);
    report.at_most(
        "99th percentile while text streams",
        LONGEST_LIMIT,
        "ms",
        || {
            first.take().unwrap_or_else(|| {
                let mut times = stream(&events);
                times.sort_unstable();
                millis(times[FRAMES * 99 / 100])
            })
        },
    );
}

/// The frames' times while an answer streams into the session.
fn stream(events: &[Event]) -> Vec<Duration> {
    let mut window = Window::new();
    window.app.show_session(summary(), events);
    let mut log = Log {
        events: Vec::new(),
        next: events.len() as u64 + 1,
    };
    let run = log.start(RUNS, "Go on");
    log.push(EventMsg::StepStarted {
        run: run.clone(),
        step: 1,
    });
    for event in &log.events {
        window.app.follow(event);
    }
    let words: Vec<&str> = ANSWER.split_inclusive(' ').collect();
    let mut tokens = words.iter().cycle();
    let mut times = Vec::with_capacity(FRAMES);
    for frame in 0..FRAMES + FRAMES_A_SECOND {
        log.events.clear();
        for token in tokens.by_ref().take(TOKENS_A_SECOND / FRAMES_A_SECOND) {
            log.push(EventMsg::TextDelta {
                run: run.clone(),
                step: 1,
                text: (*token).to_owned(),
            });
        }
        let started = Instant::now();
        for event in &log.events {
            window.app.follow(event);
        }
        window.frame();
        if frame >= FRAMES_A_SECOND {
            times.push(started.elapsed());
        }
    }
    times
}

/// The window's content without a screen.
struct Window {
    context: Context,
    app: WindowApp,
    time: f64,
    _home: TempDir,
}

impl Window {
    fn new() -> Self {
        let context = Context::default();
        let home = TempDir::new().expect("no temporary folder");
        let worker = Worker::start(Wake::default(), Some(home.path().to_owned()))
            .expect("the worker does not start");
        let app = WindowApp::without_engine(&context, Link::new(worker))
            .expect("the window can't be made");
        Self {
            context,
            app,
            time: 0.0,
            _home: home,
        }
    }

    fn frame(&mut self) {
        self.time += 1.0 / 60.0;
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, Vec2::new(1280.0, 800.0))),
            time: Some(self.time),
            ..RawInput::default()
        };
        let app = &mut self.app;
        let mut output = self.context.run_ui(input, |ui| app.frame(ui));
        output.textures_delta.clear();
        let shapes = self
            .context
            .tessellate(output.shapes, output.pixels_per_point);
        assert!(!shapes.is_empty(), "nothing was drawn");
    }
}

fn summary() -> SessionSummary {
    SessionSummary {
        id: session(),
        title: "A long session".to_owned(),
        folder: None,
        mode: Mode::Chat,
        created_at: 0,
        updated_at: 0,
        runs: u64::from(RUNS),
        running: false,
    }
}

fn session() -> SessionId {
    SessionId::new("long")
}

struct Log {
    events: Vec<Event>,
    next: u64,
}

impl Log {
    fn push(&mut self, msg: EventMsg) {
        self.events.push(Event {
            id: EventId(self.next),
            session: session(),
            at: self.next,
            msg,
        });
        self.next += 1;
    }

    fn start(&mut self, number: u32, text: &str) -> RunId {
        let run = RunId::new(format!("run-{number}"));
        self.push(EventMsg::RunStarted {
            run: run.clone(),
            text: text.to_owned(),
            max_steps: 8,
        });
        run
    }
}

fn session_events() -> Vec<Event> {
    let mut log = Log {
        events: Vec::new(),
        next: 1,
    };
    for number in 0..RUNS {
        one_run(&mut log, number);
    }
    log.events
}

fn one_run(log: &mut Log, number: u32) {
    let run = log.start(
        number,
        &format!("How many tries are made in case {number}?"),
    );
    let usage = Usage {
        input: 900,
        cached: 3_000,
        output: 120,
        reasoning: 40,
    };
    let calls: Vec<CallRequest> = (0..2)
        .map(|call| CallRequest {
            call: CallId::new(format!("{number}-{call}")),
            tool: "files_read".to_owned(),
            arguments: format!("{{\"path\":\"src/case-{number}-{call}.rs\"}}"),
        })
        .collect();
    log.push(EventMsg::StepStarted {
        run: run.clone(),
        step: 1,
    });
    log.push(EventMsg::StepFinished {
        run: run.clone(),
        step: 1,
        text: String::new(),
        usage,
        millis: 700,
    });
    log.push(EventMsg::CallsRequested {
        run: run.clone(),
        step: 1,
        calls: calls.clone(),
    });
    for request in calls {
        log.push(EventMsg::CallFinished {
            run: run.clone(),
            step: 1,
            call: request.call,
            tool: request.tool,
            report: CallReport {
                status: CallStatus::Done,
                result: Some(json!({"path": "src/case.rs", "text": ANSWER, "totalLines": 12})),
                error: None,
                note: None,
                millis: 3,
            },
        });
    }
    log.push(EventMsg::StepStarted {
        run: run.clone(),
        step: 2,
    });
    log.push(EventMsg::StepFinished {
        run: run.clone(),
        step: 2,
        text: ANSWER.to_owned(),
        usage,
        millis: 900,
    });
    log.push(EventMsg::RunFinished {
        run,
        outcome: RunOutcome::Done,
        side_effects: false,
        steps: 2,
        usage,
        millis: 1_600,
    });
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
