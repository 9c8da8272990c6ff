//! The events' file: appending, and keeping the lists and the search in step.

use rusqlite::{Connection, params};

use crate::protocol::{Event, EventId, EventMsg, SessionId};
use crate::support::clock;
use crate::support::redact::Redactor;

/// Characters of a first message that make a title.
const TITLE_CHARS: usize = 60;

/// Commits events in one transaction, without the keys that may have got into them, and gives them back
/// as they are stored, numbered.
pub(super) fn append(
    db: &mut Connection,
    events: Vec<(SessionId, EventMsg)>,
    redactor: &Redactor,
) -> rusqlite::Result<Vec<Event>> {
    let transaction = db.transaction()?;
    let mut stored = Vec::with_capacity(events.len());
    for (session, mut msg) in events {
        let at = clock::now_millis();
        let mut body = to_json(&msg)?;
        if redactor.finds_in(&body) {
            body = redactor.clean(body);
            msg = serde_json::from_str(&body)
                .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
        }
        transaction
            .prepare_cached("INSERT INTO events (session, at, body) VALUES (?1, ?2, ?3)")?
            .execute(params![session.as_str(), at, body])?;
        let id = EventId(u64::try_from(transaction.last_insert_rowid()).unwrap_or_default());
        note_in_lists(&transaction, &session, at, &msg)?;
        stored.push(Event {
            id,
            session,
            at,
            msg,
        });
    }
    transaction.commit()?;
    Ok(stored)
}

fn to_json(msg: &EventMsg) -> rusqlite::Result<String> {
    serde_json::to_string(msg)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))
}

/// Keeps the session's row and the search in step with its events.
fn note_in_lists(
    db: &Connection,
    session: &SessionId,
    at: u64,
    msg: &EventMsg,
) -> rusqlite::Result<()> {
    let session = session.as_str();
    match msg {
        EventMsg::SessionCreated { folder, mode } => {
            let folder = folder.as_ref().map(|folder| folder.display().to_string());
            db.prepare_cached(
                "INSERT INTO sessions (id, folder, mode, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?4)",
            )?
            .execute(params![session, folder, mode.name(), at])?;
        }
        EventMsg::SessionRenamed { title } => {
            db.prepare_cached("UPDATE sessions SET title = ?2, updated_at = ?3 WHERE id = ?1")?
                .execute(params![session, title, at])?;
        }
        EventMsg::RunStarted { run, text, .. } => {
            db.prepare_cached(
                "UPDATE sessions SET open_run = ?2, runs = runs + 1, updated_at = ?3,
                 title = CASE title WHEN '' THEN ?4 ELSE title END WHERE id = ?1",
            )?
            .execute(params![session, run.as_str(), at, title_of(text)])?;
            said(db, session, "user", at, text)?;
        }
        EventMsg::StepFinished { text, .. } => said(db, session, "assistant", at, text)?,
        EventMsg::RunFinished { .. } => {
            db.prepare_cached(
                "UPDATE sessions SET open_run = NULL, updated_at = ?2 WHERE id = ?1",
            )?
            .execute(params![session, at])?;
        }
        _ => {}
    }
    Ok(())
}

fn said(db: &Connection, session: &str, role: &str, at: u64, text: &str) -> rusqlite::Result<()> {
    if text.trim().is_empty() {
        return Ok(());
    }
    db.prepare_cached("INSERT INTO said (text, session, role, at) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![text, session, role, at])?;
    Ok(())
}

/// Deletes a session's events, its row and what the search knows of it.
pub(super) fn delete(db: &mut Connection, session: &SessionId) -> rusqlite::Result<()> {
    let transaction = db.transaction()?;
    for statement in [
        "DELETE FROM events WHERE session = ?1",
        "DELETE FROM said WHERE session = ?1",
        "DELETE FROM sessions WHERE id = ?1",
    ] {
        transaction.execute(statement, [session.as_str()])?;
    }
    transaction.commit()
}

/// The first line that says something, shortened.
fn title_of(text: &str) -> String {
    let line = text
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .unwrap_or_default();
    let mut title: String = line.chars().take(TITLE_CHARS).collect();
    if line.chars().nth(TITLE_CHARS).is_some() {
        title.push('…');
    }
    title
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_the_first_line_that_says_something() {
        assert_eq!(title_of("\n  \n  hello \nworld"), "hello");
        assert_eq!(
            title_of(&"x".repeat(TITLE_CHARS)).chars().count(),
            TITLE_CHARS
        );
        let long = title_of(&"字".repeat(TITLE_CHARS + 1));
        assert_eq!(long.chars().count(), TITLE_CHARS + 1);
        assert!(long.ends_with('…'));
    }
}
