//! Expected beside seen: what a run reported and left on disk, compared with its scenario.
//!
//! It reads the engine's events and the folder, as any client could, and never asks the simulator:
//! what the model server saw is for the simulator's own log.

#![expect(
    clippy::disallowed_methods,
    reason = "it reads scenario folders, which no rule on paths is about"
)]

use std::{
    collections::BTreeMap,
    fmt, fs, io,
    path::{Path, PathBuf},
};

use serde::Serialize;
use wisp_engine::protocol::{
    CallStatus, Decision, DecisionSource, Event, EventMsg, NoticeKind, RunOutcome,
};

use crate::{
    scenario::{Choice, Outcome, Scenario},
    workspace,
};

/// So many entries of a folder are looked at; a scenario's folder has a few hundred at most.
const MAX_ENTRIES: usize = 10_000;

/// One scenario's comparison.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The scenario.
    pub scenario: String,
    /// One line for each thing that was compared.
    pub lines: Vec<Line>,
}

/// One thing, as it was expected and as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// What was compared.
    pub what: String,
    /// What was expected.
    pub expected: String,
    /// What was seen.
    pub seen: String,
    /// Whether it is as it should be.
    pub ok: bool,
}

impl Report {
    /// Whether everything was as expected.
    pub fn passed(&self) -> bool {
        self.lines.iter().all(|line| line.ok)
    }

    fn line(&mut self, what: impl Into<String>, expected: String, seen: String, ok: bool) {
        self.lines.push(Line {
            what: what.into(),
            expected,
            seen,
            ok,
        });
    }

    fn equal(&mut self, what: &str, expected: impl Into<String>, seen: impl Into<String>) {
        let (expected, seen) = (expected.into(), seen.into());
        let ok = expected == seen;
        self.line(what, expected, seen, ok);
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.passed() { "passed" } else { "FAILED" };
        writeln!(f, "{}: {verdict}", self.scenario)?;
        for line in &self.lines {
            if line.ok {
                writeln!(f, "  ok   {}: {}", line.what, line.seen)?;
            } else {
                writeln!(f, "  FAIL {}: expected {}", line.what, line.expected)?;
                writeln!(f, "       seen {}", line.seen)?;
            }
        }
        Ok(())
    }
}

/// What the events say of the session's last run.
#[derive(Default)]
struct Seen {
    outcome: Option<RunOutcome>,
    calls: Vec<(String, CallStatus)>,
    answer: String,
    requests: u32,
    approved: usize,
    denied: usize,
}

/// Compares a session's last run with its scenario. `folder` is the session's folder; it held the
/// scenario's workspace and nothing else when the run began.
pub fn check(scenario: &Scenario, events: &[Event], folder: &Path) -> Report {
    let expect = &scenario.expect;
    let seen = last_run(events);
    let denied = seen.denied > 0
        && seen.approved == 0
        && (scenario.decisions.is_empty() || scenario.decisions.contains(&Choice::Approve));
    let mut report = Report {
        scenario: scenario.name.clone(),
        lines: Vec::new(),
    };

    let outcome = seen
        .outcome
        .as_ref()
        .map_or("none", |outcome| Outcome::of(outcome).name());
    report.equal("outcome", expect.outcome.name(), outcome);
    let failure = match &seen.outcome {
        Some(RunOutcome::Failed { failure }) => word(&failure.kind),
        _ => "none".to_owned(),
    };
    let expected = expect
        .failure
        .as_ref()
        .map_or_else(|| "none".to_owned(), word);
    report.equal("failure", expected, failure);
    report.equal(
        "requests",
        expect.requests.to_string(),
        seen.requests.to_string(),
    );
    compare_calls(&mut report, scenario, &seen.calls, denied);
    let answer = match &expect.answer_denied {
        Some(answer) if denied => answer,
        _ => &expect.answer,
    };
    for part in answer {
        let ok = seen.answer.contains(part.as_str());
        report.line(
            "answer",
            format!("contains {part:?}"),
            seen.answer.clone(),
            ok,
        );
    }
    if let Some(workspace) = &scenario.workspace {
        match compare_files(scenario, workspace, denied, folder) {
            Ok(differences) if differences.is_empty() => {
                report.line("files", "as expected".into(), "as expected".into(), true);
            }
            Ok(differences) => {
                for (path, expected, seen) in differences {
                    report.line(format!("files: {path}"), expected, seen, false);
                }
            }
            Err(error) => report.line("files", "readable".into(), error.to_string(), false),
        }
    }
    report
}

fn last_run(events: &[Event]) -> Seen {
    let mut seen = Seen::default();
    for event in events {
        match &event.msg {
            EventMsg::RunStarted { .. } => seen = Seen::default(),
            EventMsg::StepStarted { .. }
            | EventMsg::RequestRetry { .. }
            | EventMsg::Notice {
                notice: NoticeKind::EmptyReply | NoticeKind::ReasoningRefused,
                ..
            } => seen.requests += 1,
            EventMsg::StepFinished { text, .. } => seen.answer.clone_from(text),
            EventMsg::CallFinished { tool, report, .. } => {
                seen.calls.push((tool.clone(), report.status));
            }
            EventMsg::ApprovalResolved {
                decision,
                source: DecisionSource::User,
                ..
            } => match decision {
                Decision::Approve => seen.approved += 1,
                Decision::Deny { .. } => seen.denied += 1,
            },
            EventMsg::RunFinished { outcome, .. } => seen.outcome = Some(outcome.clone()),
            _ => {}
        }
    }
    seen
}

fn compare_calls(
    report: &mut Report,
    scenario: &Scenario,
    seen: &[(String, CallStatus)],
    denied: bool,
) {
    let mut expected: Vec<(&str, CallStatus)> = Vec::new();
    for call in &scenario.expect.calls {
        let status = match call.when_denied {
            Some(status) if denied => status,
            _ => call.status,
        };
        let times = usize::try_from(call.times).unwrap_or(usize::MAX);
        expected.extend(std::iter::repeat_n((call.tool.as_str(), status), times));
    }
    let seen: Vec<(&str, CallStatus)> = seen
        .iter()
        .map(|(tool, status)| (tool.as_str(), *status))
        .collect();
    let ok = seen.starts_with(&expected)
        && (scenario.expect.further_calls || seen.len() == expected.len());
    report.line("calls", call_words(&expected), call_words(&seen), ok);
}

/// `files_read done ×3, files_write denied`
fn call_words(calls: &[(&str, CallStatus)]) -> String {
    let words: Vec<String> = calls
        .chunk_by(|one, other| one == other)
        .filter_map(|alike| {
            let (tool, status) = alike.first()?;
            let one = format!("{tool} {}", word(status));
            Some(match alike.len() {
                1 => one,
                times => format!("{one} ×{times}"),
            })
        })
        .collect();
    if words.is_empty() {
        "none".to_owned()
    } else {
        words.join(", ")
    }
}

/// The name that a value has in events and scenario files.
fn word(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        other => format!("{other:?}"),
    }
}

/// A folder's content by path; `None` is a folder.
type Tree = BTreeMap<String, Option<Vec<u8>>>;

fn compare_files(
    scenario: &Scenario,
    text: &str,
    denied: bool,
    folder: &Path,
) -> io::Result<Vec<(String, String, String)>> {
    let after = if denied {
        &scenario.expect.denied
    } else {
        &scenario.expect.approved
    };
    let invalid = |error| io::Error::new(io::ErrorKind::InvalidData, error);
    let mut expected = Tree::new();
    for entry in workspace::parse(text).map_err(invalid)? {
        expected.insert(entry.path, entry.content.map(String::into_bytes));
    }
    add_parents(&mut expected);
    for gone in &after.gone {
        let inside = format!("{gone}/");
        expected.retain(|path, _| path != gone && !path.starts_with(&inside));
    }
    for path in &after.folders {
        expected.insert(path.clone(), None);
    }
    for (path, content) in &after.files {
        expected.insert(path.clone(), Some(content.clone().into_bytes()));
    }
    add_parents(&mut expected);

    let seen = read_tree(folder)?;
    let mut differences = Vec::new();
    for path in expected
        .keys()
        .chain(seen.keys().filter(|path| !expected.contains_key(*path)))
    {
        let (expected, seen) = (expected.get(path), seen.get(path));
        if expected != seen {
            differences.push((path.clone(), entry_words(expected), entry_words(seen)));
        }
    }
    Ok(differences)
}

/// Adds the folders that the entries' paths lead through.
fn add_parents(tree: &mut Tree) {
    let parents: Vec<String> = tree
        .keys()
        .flat_map(|path| path.match_indices('/').filter_map(|(at, _)| path.get(..at)))
        .map(str::to_owned)
        .collect();
    for parent in parents {
        tree.entry(parent).or_insert(None);
    }
}

fn entry_words(entry: Option<&Option<Vec<u8>>>) -> String {
    match entry {
        None => "nothing".to_owned(),
        Some(None) => "a folder".to_owned(),
        Some(Some(bytes)) => format!("{:?}", String::from_utf8_lossy(bytes)),
    }
}

/// All entries under a folder. Links are not followed: they are told by their target's text.
fn read_tree(folder: &Path) -> io::Result<Tree> {
    let mut tree = Tree::new();
    let mut waiting: Vec<(PathBuf, String)> = vec![(folder.to_path_buf(), String::new())];
    while let Some((path, prefix)) = waiting.pop() {
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            let kind = entry.file_type()?;
            if kind.is_dir() {
                waiting.push((entry.path(), format!("{name}/")));
                tree.insert(name, None);
            } else if kind.is_symlink() {
                let target = format!("-> {}", fs::read_link(entry.path())?.display());
                tree.insert(name, Some(target.into_bytes()));
            } else {
                tree.insert(name, Some(fs::read(entry.path())?));
            }
            if tree.len() > MAX_ENTRIES {
                let words = format!("the folder holds more than {MAX_ENTRIES} entries");
                return Err(io::Error::other(words));
            }
        }
    }
    Ok(tree)
}

#[cfg(test)]
mod tests;
