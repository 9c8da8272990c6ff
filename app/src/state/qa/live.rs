//! Live scenarios: the one that goes on, and what became of the others.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;

use serde::Serialize;
use wisp_engine::protocol::{ApprovalId, Event, EventMsg, FailureKind, SessionId};
use wisp_qa::{Choice, Line, Outcome, Report, Scenario};

use super::sample::Play;

/// How long an approval stands before a scenario that answers by itself answers it, in seconds: long enough
/// for a person to see what is asked, and over the time in which a key does nothing.
pub(super) const ANSWER_AFTER: f64 = 0.6;
/// The scenario that is for measuring alone.
const LEFT_OUT: &str = "bench-loop";

/// The panel's state.
#[derive(Debug)]
pub struct Qa {
    /// The live scenarios, sorted by name.
    pub scenarios: Vec<Scenario>,
    /// What the right side shows.
    pub shown: Shown,
    /// The live scenario that goes on, or the last one that did.
    pub live: Option<LiveRun>,
    /// What became of those that have run, by name.
    pub results: BTreeMap<String, LiveResult>,
    /// All one after another, while that goes on and until its summary is left.
    pub batch: Option<Batch>,
    /// The sample on screen.
    pub play: Option<Play>,
    /// Samples played so far.
    pub played: u64,
    /// The session that was on screen before the panel's own ones.
    pub before: Option<SessionId>,
}

/// What the right side of the panel shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Shown {
    /// What the panel is.
    #[default]
    Nothing,
    /// A live scenario: what it asks, what is expected, what was seen.
    Detail(String),
    /// The conversation of the live scenario.
    Chat,
    /// How all of them went.
    Summary,
    /// A sample, by its key.
    Sample(&'static str),
}

/// Where a live scenario is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Its folder is made, then its session.
    Preparing,
    /// Its run goes on.
    Running,
    /// What came of it is compared.
    Checking,
    /// It is over.
    Over,
}

/// A live scenario that goes on.
#[derive(Debug)]
pub struct LiveRun {
    /// Its name.
    pub name: String,
    /// Whether its own decisions answer the approvals.
    pub by_itself: bool,
    /// Where it is at.
    pub stage: Stage,
    /// Its temporary folder, when it has one.
    pub folder: Option<PathBuf>,
    /// Its session, once it is made.
    pub session: Option<SessionId>,
    /// All that the engine reported of that session.
    pub events: Vec<Event>,
    /// Approvals that were answered by itself.
    pub answered: usize,
    /// The approval to answer by itself, and when, in the window's seconds.
    pub due: Option<(ApprovalId, f64)>,
    /// Whether a picture of the window is still to be taken, because it failed.
    pub wants_picture: bool,
}

impl LiveRun {
    fn new(name: &str, by_itself: bool) -> Self {
        Self {
            name: name.to_owned(),
            by_itself,
            stage: Stage::Preparing,
            folder: None,
            session: None,
            events: Vec::new(),
            answered: 0,
            due: None,
            wants_picture: false,
        }
    }

    /// Steps it has begun.
    pub fn steps(&self) -> usize {
        let begun = |event: &&Event| matches!(event.msg, EventMsg::StepStarted { .. });
        self.events.iter().filter(begun).count()
    }

    /// From its run's start to its end, in milliseconds; `None` before the end.
    pub fn millis(&self) -> Option<u64> {
        self.events.iter().rev().find_map(|event| match &event.msg {
            EventMsg::RunFinished { millis, .. } => Some(*millis),
            _ => None,
        })
    }

    /// Which approval to answer now, given the one that waits. `None` when there is nothing to do yet.
    pub fn answer_due(&mut self, waiting: Option<&ApprovalId>, now: f64) -> Option<ApprovalId> {
        let Some(waiting) = waiting.filter(|_| self.by_itself) else {
            self.due = None;
            return None;
        };
        match &self.due {
            Some((id, at)) if id == waiting => {
                if now < *at {
                    return None;
                }
                self.due = None;
                Some(waiting.clone())
            }
            _ => {
                self.due = Some((waiting.clone(), now + ANSWER_AFTER));
                None
            }
        }
    }
}

/// What became of a live scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LiveResult {
    /// Expected beside seen.
    pub report: Report,
    /// What the scripted model found wrong with the requests it got.
    pub violations: Vec<String>,
    /// The steps it took.
    pub steps: usize,
    /// How long its run took, in milliseconds.
    pub millis: u64,
    /// The picture of the window when it failed.
    pub picture: Option<PathBuf>,
}

impl LiveResult {
    /// Whether all was as expected, on both sides.
    pub fn passed(&self) -> bool {
        self.report.passed() && self.violations.is_empty()
    }

    /// Of a scenario that could not be played to its end.
    fn broken(name: &str, seen: &str) -> Self {
        Self {
            report: Report {
                scenario: name.to_owned(),
                lines: vec![Line {
                    what: "run".to_owned(),
                    expected: "plays to its end".to_owned(),
                    seen: seen.to_owned(),
                    ok: false,
                }],
            },
            violations: Vec::new(),
            steps: 0,
            millis: 0,
            picture: None,
        }
    }
}

/// All scenarios one after another.
#[derive(Debug, Default)]
pub struct Batch {
    /// Those that are still to come.
    pub left: VecDeque<String>,
    /// Those that were played, in order.
    pub played: Vec<String>,
    /// Whether none goes on and none is to come.
    pub over: bool,
}

/// The simulation's settings hold no key. What its server does then, where it wants one, is what is expected here.
fn without_key(scenario: &mut Scenario) {
    if scenario.require_key.is_some() {
        scenario.expect.outcome = Outcome::Failed;
        scenario.expect.failure = Some(FailureKind::Authentication);
        scenario.expect.answer.clear();
        scenario.expect.calls.clear();
        scenario.expect.requests = 1;
    }
}

impl Default for Qa {
    fn default() -> Self {
        let mut scenarios = wisp_qa::builtin();
        scenarios.retain(|scenario| scenario.name != LEFT_OUT);
        scenarios.iter_mut().for_each(without_key);
        Self {
            scenarios,
            shown: Shown::Nothing,
            live: None,
            results: BTreeMap::new(),
            batch: None,
            play: None,
            played: 0,
            before: None,
        }
    }
}

impl Qa {
    /// What stays when another engine takes over: the results.
    #[must_use]
    pub fn kept(&mut self) -> Self {
        Self {
            results: std::mem::take(&mut self.results),
            scenarios: std::mem::take(&mut self.scenarios),
            played: self.played,
            ..Self::default()
        }
    }

    /// The scenario of this name.
    pub fn scenario(&self, name: &str) -> Option<&Scenario> {
        self.scenarios.iter().find(|scenario| scenario.name == name)
    }

    /// Whether a live scenario goes on.
    pub fn is_running(&self) -> bool {
        (self.live.as_ref()).is_some_and(|live| live.stage != Stage::Over)
    }

    /// Begins a live scenario. Gives it, for its folder to be made; `None` when one goes on or there is none
    /// of this name.
    pub fn begin(&mut self, name: &str, by_itself: bool) -> Option<Scenario> {
        if self.is_running() {
            return None;
        }
        let scenario = self.scenario(name)?.clone();
        self.live = Some(LiveRun::new(name, by_itself));
        // Who looks at something else while all of them are played is not taken away from it.
        let later = self.batch.as_ref().is_some_and(|b| b.played.len() > 1);
        if !later {
            self.shown = Shown::Chat;
        }
        Some(scenario)
    }

    /// Begins all of them. Gives the first one's name.
    pub fn begin_all(&mut self) -> Option<String> {
        if self.is_running() {
            return None;
        }
        let left = self.scenarios.iter().map(|s| s.name.clone()).collect();
        self.batch = Some(Batch {
            left,
            ..Batch::default()
        });
        self.next_of_batch()
    }

    /// The next one of all; at their end the summary is shown.
    pub fn next_of_batch(&mut self) -> Option<String> {
        let batch = self.batch.as_mut()?;
        let next = batch.left.pop_front();
        if let Some(name) = &next {
            batch.played.push(name.clone());
        } else {
            batch.over = true;
            if self.shown == Shown::Chat {
                self.shown = Shown::Summary;
            }
        }
        next
    }

    /// Whether all of them are being played.
    pub fn is_batch(&self) -> bool {
        self.batch.as_ref().is_some_and(|batch| !batch.over)
    }

    /// Takes an event in. Tells whether the live scenario's run ended with it.
    pub fn take_event(&mut self, event: &Event) -> bool {
        let Some(live) = self.live.as_mut() else {
            return false;
        };
        if live.session.as_ref() != Some(&event.session) || live.stage != Stage::Running {
            return false;
        }
        live.events.push(event.clone());
        let over = matches!(event.msg, EventMsg::RunFinished { .. });
        if over {
            live.stage = Stage::Checking;
        }
        over
    }

    /// Takes the comparison in.
    pub fn take_report(&mut self, report: Report, violations: Vec<String>) {
        let Some(live) = self.live.as_mut() else {
            return;
        };
        if live.name != report.scenario || live.stage != Stage::Checking {
            return;
        }
        live.stage = Stage::Over;
        let result = LiveResult {
            report,
            violations,
            steps: live.steps(),
            millis: live.millis().unwrap_or_default(),
            picture: None,
        };
        live.wants_picture = !result.passed();
        self.results.insert(live.name.clone(), result);
    }

    /// Ends the live scenario without a comparison, because of what was seen.
    pub fn break_off(&mut self, seen: &str) {
        if let Some(live) = self.live.as_mut().filter(|live| live.stage != Stage::Over) {
            live.stage = Stage::Over;
            live.wants_picture = true;
            let result = LiveResult::broken(&live.name, seen);
            self.results.insert(live.name.clone(), result);
        }
    }

    /// The answer the live scenario has for its next approval.
    pub fn next_choice(&self) -> Choice {
        self.live.as_ref().map_or(Choice::Approve, |live| {
            self.scenario(&live.name)
                .map_or(Choice::Approve, |scenario| scenario.decision(live.answered))
        })
    }

    /// How many of those that have run passed, and the names of those that did not.
    pub fn tally<'a>(&self, names: impl Iterator<Item = &'a String>) -> (usize, Vec<&'a str>) {
        let mut passed = 0;
        let mut failed = Vec::new();
        for name in names {
            match self.results.get(name) {
                Some(result) if result.passed() => passed += 1,
                Some(_) => failed.push(name.as_str()),
                None => {}
            }
        }
        (passed, failed)
    }
}
