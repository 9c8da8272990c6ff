//! Reading: lists, one session, the search. Also beside a program that writes, from another process.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, Row};

use crate::protocol::{
    Event, EventId, EventMsg, Failure, FailureKind, Mode, RunId, SearchHit, SessionId,
    SessionSummary,
};

use super::StoredSession;
use super::database::{EVENTS, statement_failure};
use super::folder::DataFolder;

/// Characters on each side of a hit.
const SNIPPET_SIDE: usize = 70;
/// The search's index knows pieces of three characters; shorter words are looked for text by text.
const INDEXED_CHARS: usize = 3;
/// Tells events from the pieces of answers, in the very words of the index `events_but_pieces`.
const NO_PIECE: &str = r#"substr(body, 1, 21) <> '{"event":"text_delta"'"#;
const EVENT_COLUMNS: &str = "SELECT id, session, at, body FROM events";
const SESSION_COLUMNS: &str =
    "id, title, folder, mode, created_at, updated_at, runs, open_run IS NOT NULL";

/// Reads through an open connection to the events.
pub(crate) struct Reader<'a> {
    db: &'a Connection,
}

/// Opens the events of a data folder for reading alone, also while a program writes them, and reads.
/// A folder without a history reads as an empty one.
pub(crate) fn read_beside<T>(
    folder: &Path,
    read: impl FnOnce(&Reader<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let db = match DataFolder::existing(folder)? {
        Some(folder) => EVENTS.open_to_read(&folder.events_file())?,
        None => EVENTS.open_in_memory()?,
    };
    read(&Reader::new(&db))
}

impl<'a> Reader<'a> {
    pub(super) fn new(db: &'a Connection) -> Self {
        Self { db }
    }

    /// All sessions, the last used first.
    pub(crate) fn sessions(&self) -> Result<Vec<SessionSummary>, Failure> {
        self.list(
            &format!("SELECT {SESSION_COLUMNS} FROM sessions ORDER BY updated_at DESC, id DESC"),
            [],
            summary,
        )
    }

    /// One session's row.
    pub(crate) fn summary(&self, session: &SessionId) -> Result<SessionSummary, Failure> {
        self.db
            .prepare_cached(&format!(
                "SELECT {SESSION_COLUMNS} FROM sessions WHERE id = ?1"
            ))
            .and_then(|mut found| found.query_row([session.as_str()], summary).optional())
            .map_err(|error| statement_failure(&error))?
            .ok_or_else(|| {
                Failure::new(
                    FailureKind::NotFound,
                    format!("There is no session {session}."),
                )
            })
    }

    /// The one session whose id is, begins or ends with these characters.
    pub(crate) fn resolve(&self, part: &str) -> Result<SessionId, Failure> {
        let found: Vec<String> = self.list(
            "SELECT id FROM sessions WHERE id = ?1 OR (?1 <> '' AND (substr(id, 1, length(?1)) = ?1
             OR substr(id, -length(?1)) = ?1)) ORDER BY id = ?1 DESC LIMIT 2",
            [part],
            |row| row.get(0),
        )?;
        match found.as_slice() {
            [one] => Ok(SessionId::new(one)),
            [exact, ..] if exact == part => Ok(SessionId::new(exact)),
            [] => Err(Failure::new(
                FailureKind::NotFound,
                format!("There is no session {part}."),
            )),
            _ => Err(Failure::new(
                FailureKind::NotFound,
                format!("More than one session's id begins or ends with {part}."),
            )
            .with_advice("Give more of its characters.")),
        }
    }

    /// One session with its events, without the pieces of those answers whose whole text is there.
    pub(crate) fn session(&self, session: &SessionId) -> Result<StoredSession, Failure> {
        Ok(StoredSession {
            summary: self.summary(session)?,
            events: self.events_from(session, 0)?,
        })
    }

    /// The events from a number on, without the pieces of those answers whose whole text is there.
    fn events_from(&self, session: &SessionId, from: i64) -> Result<Vec<Event>, Failure> {
        let mut events: Vec<Event> = self.list(
            &format!(
                "{EVENT_COLUMNS} INDEXED BY events_but_pieces
                 WHERE session = ?1 AND id >= ?2 AND {NO_PIECE} ORDER BY id"
            ),
            rusqlite::params![session.as_str(), from],
            event,
        )?;
        let mut pieces = Vec::new();
        for (first, last) in steps_without_text(&events) {
            let of_step: Vec<Event> = self.list(
                &format!(
                    "{EVENT_COLUMNS} INDEXED BY events_by_session
                     WHERE session = ?1 AND id BETWEEN ?2 AND ?3 AND NOT {NO_PIECE} ORDER BY id"
                ),
                rusqlite::params![session.as_str(), first, last],
                event,
            )?;
            pieces.extend(of_step);
        }
        if !pieces.is_empty() {
            events.append(&mut pieces);
            events.sort_by_key(|event| event.id);
        }
        Ok(events)
    }

    /// The events from a run's start on, without the pieces of those answers whose whole text is there.
    pub(crate) fn events_of_run(
        &self,
        session: &SessionId,
        run: &RunId,
    ) -> Result<Vec<Event>, Failure> {
        let start = self
            .db
            .prepare_cached(&format!(
                "SELECT id FROM events INDEXED BY events_but_pieces WHERE session = ?1 AND {NO_PIECE}
                 AND json_valid(body) AND json_extract(body, '$.event') = 'run_started' ORDER BY id DESC LIMIT 1"
            ))
            .and_then(|mut found| found.query_row([session.as_str()], |row| row.get(0)).optional())
            .map_err(|error| statement_failure(&error))?
            .unwrap_or(0);
        let mut events = self.events_from(session, start)?;
        events.retain(|event| event.msg.run() == Some(run));
        Ok(events)
    }

    /// The last run of a session.
    pub(crate) fn last_run(&self, session: &SessionId) -> Result<Option<RunId>, Failure> {
        self.db
            .prepare_cached(&format!(
                "SELECT json_extract(body, '$.run') FROM events INDEXED BY events_but_pieces WHERE session = ?1 AND {NO_PIECE}
                 AND json_valid(body) AND json_extract(body, '$.event') = 'run_started' ORDER BY id DESC LIMIT 1"
            ))
            .and_then(|mut found| {
                found
                    .query_row([session.as_str()], |row| row.get::<_, String>(0))
                    .optional()
            })
            .map(|run| run.map(RunId::new))
            .map_err(|error| statement_failure(&error))
    }

    /// Where words were said, taken literally, the newest first.
    pub(crate) fn search(&self, query: &str, limit: u32) -> Result<Vec<SearchHit>, Failure> {
        let query = query.trim();
        if query.is_empty() {
            return Err(
                Failure::new(FailureKind::BadSubmission, "The search is empty.")
                    .with_advice("Give at least one character to look for."),
            );
        }
        let hit = |row: &Row<'_>| {
            Ok(SearchHit {
                session: SessionId::new(row.get::<_, String>(0)?),
                title: row.get(1)?,
                role: row.get(2)?,
                at: row.get(3)?,
                snippet: snippet(&row.get::<_, String>(4)?, query),
            })
        };
        let columns = "said.session, sessions.title, said.role, said.at, said.text
             FROM said JOIN sessions ON sessions.id = said.session";
        if query.chars().count() >= INDEXED_CHARS {
            let phrase = format!("\"{}\"", query.replace('"', "\"\""));
            self.list(
                &format!("SELECT {columns} WHERE said MATCH ?1 ORDER BY said.rowid DESC LIMIT ?2"),
                rusqlite::params![phrase, limit],
                hit,
            )
        } else {
            self.list(
                &format!("SELECT {columns} WHERE instr(lower(said.text), lower(?1)) ORDER BY said.rowid DESC LIMIT ?2"),
                rusqlite::params![query, limit],
                hit,
            )
        }
    }

    fn list<T, P: rusqlite::Params>(
        &self,
        sql: &str,
        params: P,
        map: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, Failure> {
        self.db
            .prepare_cached(sql)
            .and_then(|mut found| found.query_map(params, map)?.collect())
            .map_err(|error| statement_failure(&error))
    }
}

/// Where the pieces lie of steps whose whole text isn't there: of each the numbers of its first event and of
/// the last one that can be its.
fn steps_without_text(events: &[Event]) -> Vec<(u64, u64)> {
    let mut steps = Vec::new();
    let mut open: Option<u64> = None;
    for event in events {
        let id = event.id.0;
        match event.msg {
            EventMsg::RunStarted { .. } | EventMsg::StepStarted { .. } => {
                steps.extend(open.replace(id).map(|first| (first, id)));
            }
            EventMsg::StepFinished { .. } => open = None,
            EventMsg::RunFinished { .. } => steps.extend(open.take().map(|first| (first, id))),
            _ => {}
        }
    }
    steps.extend(open.map(|first| (first, i64::MAX.unsigned_abs())));
    steps
}

fn summary(row: &Row<'_>) -> rusqlite::Result<SessionSummary> {
    let mode: String = row.get(3)?;
    Ok(SessionSummary {
        id: SessionId::new(row.get::<_, String>(0)?),
        title: row.get(1)?,
        folder: row.get::<_, Option<String>>(2)?.map(Into::into),
        mode: Mode::ALL
            .iter()
            .copied()
            .find(|known| known.name() == mode)
            .unwrap_or_default(),
        created_at: row.get(4)?,
        updated_at: row.get(5)?,
        runs: row.get(6)?,
        running: row.get(7)?,
    })
}

fn event(row: &Row<'_>) -> rusqlite::Result<Event> {
    let body: String = row.get(3)?;
    let msg: EventMsg = serde_json::from_str(&body).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(3, rusqlite::types::Type::Text, Box::new(error))
    })?;
    Ok(Event {
        id: EventId(row.get(0)?),
        session: SessionId::new(row.get::<_, String>(1)?),
        at: row.get(2)?,
        msg,
    })
}

/// The words around the first hit, on one line.
fn snippet(text: &str, query: &str) -> String {
    let chars: Vec<char> = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let lower = |c: &char| c.to_lowercase().next().unwrap_or(*c);
    let wanted: Vec<char> = query.chars().map(|c| lower(&c)).collect();
    let at = chars
        .windows(wanted.len().max(1))
        .position(|window| window.iter().map(lower).eq(wanted.iter().copied()))
        .unwrap_or(0);
    let from = at.saturating_sub(SNIPPET_SIDE);
    let to = (at + wanted.len() + SNIPPET_SIDE).min(chars.len());
    let middle: String = chars.get(from..to).unwrap_or_default().iter().collect();
    format!(
        "{}{}{}",
        if from > 0 { "…" } else { "" },
        middle.trim(),
        if to < chars.len() { "…" } else { "" }
    )
}
