//! `wisp sessions`: reads the history beside whatever else uses it; deleting needs the data folder alone.

use std::io::{BufRead, IsTerminal};
use std::path::Path;

use wisp_engine::protocol::Op;
use wisp_engine::{History, Settings, StoreLocation};

use super::args::{Format, SessionsArgs, SessionsCommand};
use super::client::{self, answer_to};
use super::exit::{Exit, UsageError};
use super::moment::time;
use super::{output, transcript};
use crate::simulation;
use crate::text::visible;

/// Characters of an id that lists show: its end, which differs also among sessions of one second.
const SHORT_ID: usize = 8;

/// Does what was asked of the sessions.
pub(super) fn run(args: SessionsArgs) -> anyhow::Result<Exit> {
    let home = wisp_engine::home()?;
    let home = if args.simulate {
        simulation::home(&home)
    } else {
        home
    };
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
            output::print(&visible::answer(&transcript::markdown(&session, &events)?))?;
        }
        SessionsCommand::Export {
            id,
            format: Format::Markdown,
        } => {
            let (session, events) = history.session(&history.resolve(&id)?)?;
            output::print(&transcript::markdown(&session, &events)?)?;
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
    let in_use = history.is_in_use();
    for session in sessions {
        let folder = session
            .folder
            .as_deref()
            .map_or("-".into(), Path::to_string_lossy);
        output::print_line(&format!(
            "{}  {}  {:>3} {}{}  {}  {}",
            short(session.id.as_str()),
            time(session.updated_at),
            session.runs,
            if session.runs == 1 { "run " } else { "runs" },
            match (session.running, in_use) {
                (false, _) => "",
                (true, true) => "  (running)",
                (true, false) => "  (interrupted)",
            },
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
    let mut engine = client::start(
        StoreLocation::Folder(home.to_owned()),
        Some(home.to_owned()),
        Settings::default(),
    )?;
    let runtime = client::runtime()?;
    runtime.block_on(answer_to(&mut engine, Op::DeleteSession { session }, false))?;
    output::complain("Deleted.");
    Ok(Exit::Done)
}

fn short(id: &str) -> String {
    let skip = id.chars().count().saturating_sub(SHORT_ID);
    id.chars().skip(skip).collect()
}
