//! The events' file: appending, and keeping the lists and the search in step.

use rusqlite::{Connection, params};

use crate::protocol::{Event, EventId, EventMsg, SessionId};
use crate::support::clock;
use crate::support::redact::Redactor;

/// Characters of a first message that make a title.
const TITLE_CHARS: usize = 60;
/// How much of one text the search knows, from its beginning, in bytes. Taking in the longest message whole
/// would hold the store up for seconds, and deleting it for half a minute.
const MAX_SEARCHED_BYTES: usize = 200_000;
/// With fewer characters left, a title is cut in the middle of a word rather than before it.
const MIN_WORDS_CHARS: usize = 40;
/// Characters of a line that are looked at for a title.
const MAX_LINE_CHARS: usize = 1000;

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
            db.prepare_cached("UPDATE sessions SET title = ?2 WHERE id = ?1")?
                .execute(params![session, title])?;
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
    let text = text
        .get(..text.floor_char_boundary(MAX_SEARCHED_BYTES))
        .unwrap_or(text);
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

/// The title that a session gets from its first message: the first line that says something, shortened, at a
/// space where there is one.
pub fn title_of(text: &str) -> String {
    let line = text
        .split(['\n', '\r', '\u{2028}', '\u{2029}'])
        .map(plain_line)
        .find(|line| !line.is_empty())
        .unwrap_or_default();
    let Some((end, _)) = line.char_indices().nth(TITLE_CHARS) else {
        return line;
    };
    let (kept, rest) = line.split_at(end);
    let kept = match kept.rsplit_once(' ') {
        Some((words, _)) if !rest.starts_with(' ') && words.chars().count() >= MIN_WORDS_CHARS => {
            words
        }
        _ => kept,
    };
    format!("{}…", kept.trim_end())
}

/// A line without what would change how a list shows it: control characters, marks that turn or break the
/// text, characters that can't be seen. Spaces in a row become one.
pub(crate) fn plain_line(line: &str) -> String {
    let mut plain = String::new();
    // A message may be one line of a megabyte, whose head alone counts.
    for c in line.trim_start().chars().take(MAX_LINE_CHARS) {
        if c.is_whitespace() || c.is_control() {
            if !plain.is_empty() && !plain.ends_with(' ') {
                plain.push(' ');
            }
        } else if !is_unseen(c) {
            plain.push(c);
        }
    }
    plain.truncate(plain.trim_end().len());
    plain
}

/// Marks of the writing's direction, breaks and joints that have no width. The joiners U+200C and U+200D stay:
/// scripts and emoji need them.
fn is_unseen(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
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

    #[test]
    fn a_long_title_ends_with_a_whole_word_where_one_ends_near() {
        let words =
            title_of("Please look at all the invoices of the last year and list the unpaid ones");
        assert_eq!(
            words,
            "Please look at all the invoices of the last year and list…"
        );
        let one = format!("Read {}", "x".repeat(80));
        assert_eq!(title_of(&one), format!("Read {}…", "x".repeat(55)));
        let exact = format!("{} more", "y".repeat(TITLE_CHARS));
        assert_eq!(title_of(&exact), format!("{}…", "y".repeat(TITLE_CHARS)));
    }

    #[test]
    fn a_title_holds_nothing_that_turns_or_hides_it() {
        assert_eq!(title_of("\u{202e}\u{200b}\n\u{7}\t\r\nreal"), "real");
        assert_eq!(
            title_of("a\u{202e}b\u{2066}c\u{1b}[31m\tred\u{feff}"),
            "abc [31m red"
        );
        assert_eq!(title_of("one\u{2028}two"), "one");
        assert_eq!(
            title_of("👩\u{200d}👧 می\u{200c}روم"),
            "👩\u{200d}👧 می\u{200c}روم"
        );
        assert_eq!(title_of(&"\u{202e}".repeat(2_000_000)), "");
    }

    #[test]
    fn a_piece_begins_as_the_index_says() {
        let piece = EventMsg::TextDelta {
            run: crate::protocol::RunId::new("r"),
            step: 1,
            text: "t".to_owned(),
        };
        let beginning = r#"{"event":"text_delta""#;
        assert_eq!(beginning.len(), 21);
        assert!(to_json(&piece).unwrap().starts_with(beginning));
        assert!(include_str!("events_2.sql").contains(&format!("21) <> '{beginning}'")));
    }
}
