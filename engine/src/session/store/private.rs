//! The private file: what goes back to the model, reasoning included. Nothing of it is ever shown.

use rusqlite::{Connection, params};

use crate::protocol::{Failure, SessionId};

use super::database::statement_failure;

/// Commits items in one transaction.
pub(super) fn append(db: &mut Connection, items: &[(SessionId, String)]) -> rusqlite::Result<()> {
    let transaction = db.transaction()?;
    for (session, body) in items {
        transaction
            .prepare_cached("INSERT INTO items (session, body) VALUES (?1, ?2)")?
            .execute(params![session.as_str(), body])?;
    }
    transaction.commit()
}

/// A session's items, oldest first.
pub(super) fn items(db: &Connection, session: &SessionId) -> Result<Vec<String>, Failure> {
    let read = || -> rusqlite::Result<Vec<String>> {
        db.prepare_cached("SELECT body FROM items WHERE session = ?1 ORDER BY id")?
            .query_map([session.as_str()], |row| row.get(0))?
            .collect()
    };
    read().map_err(|error| statement_failure(&error))
}

/// Deletes a session's items.
pub(super) fn delete(db: &Connection, session: &SessionId) -> Result<(), Failure> {
    db.execute("DELETE FROM items WHERE session = ?1", [session.as_str()])
        .map(|_| ())
        .map_err(|error| statement_failure(&error))
}
