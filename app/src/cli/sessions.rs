//! `wisp sessions`: reads the history beside whatever else uses it; deleting needs the data folder alone.

use std::io::{BufRead, IsTerminal};
use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use wisp_engine::protocol::{Event, EventMsg, Op, RunOutcome, SessionSummary};
use wisp_engine::{EngineConfig, History, Settings, StoreLocation};

use super::args::{Format, SessionsArgs, SessionsCommand};
use super::exec::answer_to;
use super::exit::{Exit, UsageError};
use super::{output, simulate, visible};

/// Characters of an id that lists show: its end, which differs also among sessions of one second.
const SHORT_ID: usize = 8;

/// Does what was asked of the sessions.
pub(super) fn run(args: SessionsArgs) -> anyhow::Result<Exit> {
    let mut home = wisp_engine::home()?;
    if args.simulate {
        home = simulate::home(&home);
    }
    let history = History::of(&home);
    match args.command {
        SessionsCommand::List { json } => list(&history, json)?,
        SessionsCommand::Show { id, json: true }
        | SessionsCommand::Export {
            id,
            format: Format::Json,
        } => {
            let (_, events) = history.session(&history.resolve(&id)?)?;
            for event in events {
                output::print_line(&serde_json::to_string(&event)?)?;
            }
        }
        SessionsCommand::Show { id, json: false } => {
            let (session, events) = history.session(&history.resolve(&id)?)?;
            output::print(&visible::text(&markdown(&session, &events)))?;
        }
        SessionsCommand::Export {
            id,
            format: Format::Markdown,
        } => {
            let (session, events) = history.session(&history.resolve(&id)?)?;
            output::print(&markdown(&session, &events))?;
        }
        SessionsCommand::Search { words, limit, json } => search(&history, &words, limit, json)?,
        SessionsCommand::Delete { id, yes } => return delete(&home, &history, &id, yes),
    }
    Ok(Exit::Done)
}

fn list(history: &History, json: bool) -> anyhow::Result<()> {
    let sessions = history.sessions()?;
    if json {
        return Ok(output::print_line(&serde_json::to_string_pretty(
            &sessions,
        )?)?);
    }
    if sessions.is_empty() {
        output::complain("There are no sessions yet. Begin one with: wisp exec --dir FOLDER \"…\"");
    }
    for session in sessions {
        let folder = session
            .folder
            .as_deref()
            .map_or("-".into(), Path::to_string_lossy);
        output::print_line(&format!(
            "{}  {}  {:>3} {}  {}  {}",
            short(session.id.as_str()),
            time(session.updated_at),
            session.runs,
            if session.runs == 1 { "run " } else { "runs" },
            visible::line(if session.title.is_empty() {
                "(untitled)"
            } else {
                &session.title
            }),
            visible::line(&folder),
        ))?;
    }
    Ok(())
}

fn search(history: &History, words: &str, limit: u32, json: bool) -> anyhow::Result<()> {
    let hits = history.search(words, limit)?;
    if json {
        return Ok(output::print_line(&serde_json::to_string_pretty(&hits)?)?);
    }
    if hits.is_empty() {
        output::complain("Nothing was said with these words.");
    }
    for hit in hits {
        output::print_line(&format!(
            "{}  {}  {:<9}  {}",
            short(hit.session.as_str()),
            time(hit.at),
            hit.role,
            visible::line(&hit.snippet)
        ))?;
    }
    Ok(())
}

fn delete(home: &Path, history: &History, id: &str, yes: bool) -> anyhow::Result<Exit> {
    let session = history.resolve(id)?;
    let (summary, _) = history.session(&session)?;
    if !yes {
        if !std::io::stdin().is_terminal() {
            return Err(UsageError(
                "Deleting is for good: add --yes where nobody can be asked.".to_owned(),
            )
            .into());
        }
        output::mutter(&format!(
            "Delete {:?} for good? y/N ",
            visible::line(&summary.title)
        ));
        let mut line = String::new();
        std::io::stdin().lock().read_line(&mut line)?;
        if !line.trim().eq_ignore_ascii_case("y") {
            output::complain("Nothing was deleted.");
            return Ok(Exit::Cancelled);
        }
    }
    let mut engine = wisp_engine::start(EngineConfig {
        store: StoreLocation::Folder(home.to_owned()),
        home: Some(home.to_owned()),
        settings: Settings::default(),
        waker: Arc::new(|| {}),
    })?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(answer_to(&mut engine, Op::DeleteSession { session }, false))?;
    output::complain("Deleted.");
    Ok(Exit::Done)
}

/// A session to read. Reasoning isn't in it: events have none.
fn markdown(session: &SessionSummary, events: &[Event]) -> String {
    let mut out = format!("# {}\n\n", session.title);
    out.push_str(&format!(
        "- session: {}\n- begun: {}\n",
        session.id,
        time(session.created_at)
    ));
    if let Some(folder) = &session.folder {
        out.push_str(&format!("- folder: {}\n", folder.display()));
    }
    let mut unfinished = String::new();
    for event in events {
        match &event.msg {
            EventMsg::RunStarted { text, .. } => {
                out.push_str(&format!("\n## User, {}\n\n{text}\n", time(event.at)))
            }
            EventMsg::TextDelta { text, .. } => unfinished.push_str(text),
            EventMsg::StepFinished { text, .. } => {
                unfinished.clear();
                if !text.is_empty() {
                    out.push_str(&format!("\n{text}\n"));
                }
            }
            EventMsg::CallFinished { tool, report, .. } => {
                let status = serde_json::to_value(report.status).unwrap_or_default();
                out.push_str(&format!(
                    "\n> `{tool}` {}",
                    status.as_str().unwrap_or_default()
                ));
                if let Some(error) = &report.error {
                    out.push_str(&format!(": {}", error.message.replace('\n', " ")));
                }
                out.push('\n');
            }
            EventMsg::RunFinished { outcome, .. } => {
                if !unfinished.is_empty() {
                    out.push_str(&format!("\n{unfinished}\n\n> (unfinished)\n"));
                    unfinished.clear();
                }
                if let Some(words) = ending(outcome) {
                    out.push_str(&format!("\n> {words}\n"));
                }
            }
            _ => {}
        }
    }
    out
}

fn ending(outcome: &RunOutcome) -> Option<String> {
    match outcome {
        RunOutcome::Done => None,
        RunOutcome::Failed { failure } => Some(format!("The run failed. {failure}")),
        RunOutcome::BudgetSpent { max_steps } => {
            Some(format!("The run stopped after its {max_steps} steps."))
        }
        RunOutcome::GuardStopped { tool, times } => Some(format!(
            "The run was stopped: the same {tool} call came {times} times in a row."
        )),
        RunOutcome::Cancelled => Some("The run was cancelled.".to_owned()),
        RunOutcome::Interrupted => {
            Some("The run was interrupted by the end of the program.".to_owned())
        }
    }
}

fn short(id: &str) -> String {
    let skip = id.chars().count().saturating_sub(SHORT_ID);
    id.chars().skip(skip).collect()
}

fn time(at: u64) -> String {
    i64::try_from(at)
        .ok()
        .and_then(|at| Timestamp::from_millisecond(at).ok())
        .map(|at| {
            at.to_zoned_datetime(TimeZone::system())
                .strftime("%Y-%m-%d %H:%M")
                .to_string()
        })
        .unwrap_or_default()
}
