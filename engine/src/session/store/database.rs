//! Opening the files: pragmas, versions, and the words for what can be wrong with them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::protocol::{Failure, FailureKind};

use super::folder::store_failure;

/// How long a statement waits for another process that reads.
const BUSY_WAIT: Duration = Duration::from_secs(5);
/// Prepared statements kept per connection.
const STATEMENT_CACHE: usize = 32;

/// A file's layout: its version, and what brings it from each version to the next.
pub(super) struct Layout {
    /// What the file is called in messages.
    pub(super) name: &'static str,
    /// `migrations[n]` brings version n to version n + 1.
    pub(super) migrations: &'static [&'static str],
    /// Whether other programs may read it while this one writes. Where none may, the locks are taken once
    /// and not with every commit.
    shared: bool,
}

/// Sessions and events.
pub(super) const EVENTS: Layout = Layout {
    name: "history",
    migrations: &[include_str!("events_1.sql"), include_str!("events_2.sql")],
    shared: true,
};

/// The model's history.
pub(super) const PRIVATE: Layout = Layout {
    name: "private history",
    migrations: &[include_str!("private_1.sql")],
    shared: false,
};

impl Layout {
    fn version(&self) -> u32 {
        u32::try_from(self.migrations.len()).unwrap_or(u32::MAX)
    }

    /// Opens a file for writing, makes or migrates its layout.
    pub(super) fn open(&self, path: &Path) -> Result<Connection, Failure> {
        self.open_with(Connection::open(path), path)
    }

    /// A layout in memory.
    pub(super) fn open_in_memory(&self) -> Result<Connection, Failure> {
        self.open_with(Connection::open_in_memory(), Path::new(":memory:"))
    }

    /// Opens a file for reading beside a program that writes it.
    pub(super) fn open_to_read(&self, path: &Path) -> Result<Connection, Failure> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let open = || -> Result<(Connection, u32), Failure> {
            let db = Connection::open_with_flags(path, flags)
                .map_err(|error| self.damaged(&error, path))?;
            let found = self.check(&db, path)?;
            Ok((db, found))
        };
        // Beside a log SQLite wants to write a small index, which a folder without that right doesn't allow.
        // With no log there is nothing to miss.
        let (db, found) = match open() {
            Err(failure) if failure.kind == FailureKind::Store && !has_log(path) => {
                let url = format!("file:{}?immutable=1", escaped(path));
                let db = Connection::open_with_flags(url, flags | OpenFlags::SQLITE_OPEN_URI)
                    .map_err(|error| self.damaged(&error, path))?;
                let found = self.check(&db, path)?;
                (db, found)
            }
            opened => opened?,
        };
        if found < self.version() {
            return Err(store_failure(format!(
                "The {} is of an older version and is brought up to date at the next start: {}.",
                self.name,
                path.display()
            )));
        }
        Ok(db)
    }

    fn open_with(
        &self,
        opened: rusqlite::Result<Connection>,
        path: &Path,
    ) -> Result<Connection, Failure> {
        let mut db = opened.map_err(|error| self.damaged(&error, path))?;
        let found = self.check(&db, path)?;
        let set_up = |db: &mut Connection| -> rusqlite::Result<()> {
            if !self.shared {
                db.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
            }
            db.pragma_update(None, "journal_mode", "WAL")?;
            db.pragma_update(None, "synchronous", "NORMAL")?;
            db.pragma_update(None, "secure_delete", "ON")?;
            db.set_prepared_statement_cache_capacity(STATEMENT_CACHE);
            for (version, migration) in (1_u32..).zip(self.migrations).skip(found as usize) {
                let step = db.transaction()?;
                step.execute_batch(migration)?;
                step.pragma_update(None, "user_version", version)?;
                step.commit()?;
            }
            Ok(())
        };
        set_up(&mut db).map_err(|error| self.damaged(&error, path))?;
        Ok(db)
    }

    /// The file's version, after a look at whether it is whole and not from the future.
    fn check(&self, db: &Connection, path: &Path) -> Result<u32, Failure> {
        let looked = || -> rusqlite::Result<(u32, u64, u64)> {
            db.busy_timeout(BUSY_WAIT)?;
            let version = db.pragma_query_value(None, "user_version", |row| row.get(0))?;
            let pages: u64 = db.pragma_query_value(None, "page_count", |row| row.get(0))?;
            let page_size: u64 = db.pragma_query_value(None, "page_size", |row| row.get(0))?;
            // Reads the schema, which a file that is no database or whose head is broken can't give.
            db.query_row("SELECT count(*) FROM sqlite_schema", [], |row| {
                row.get::<_, i64>(0)
            })?;
            Ok((version, pages, page_size))
        };
        let (version, pages, page_size) = looked().map_err(|error| self.damaged(&error, path))?;
        if version > self.version() {
            return Err(Failure::new(
                FailureKind::StoreNewer,
                format!(
                    "The {} was written by a newer version of Wisp (layout {version}, this one knows {}). Nothing was changed: {}.",
                    self.name,
                    self.version(),
                    path.display()
                ),
            ));
        }
        // With a log beside it the newest pages may be there instead of in the file.
        if !has_log(path)
            && path
                .metadata()
                .is_ok_and(|file| file.len() > 0 && file.len() < pages * page_size)
        {
            return Err(self.cut(path));
        }
        Ok(version)
    }

    fn cut(&self, path: &Path) -> Failure {
        store_failure(format!(
            "The {} is shorter than it says: it was cut off. Nothing was changed: {}.",
            self.name,
            path.display()
        ))
        .with_advice("Put a whole copy back, or move the file away to begin a new history.")
    }

    fn damaged(&self, error: &rusqlite::Error, path: &Path) -> Failure {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => store_failure(format!(
                "The {} is damaged ({error}). Nothing was changed: {}.",
                self.name,
                path.display()
            ))
            .with_advice("Put a whole copy back, or move the file away to begin a new history."),
            _ => store_failure(format!(
                "The {} can't be opened ({error}): {}.",
                self.name,
                path.display()
            )),
        }
    }
}

/// Whether SQLite has left a log beside a file.
fn has_log(path: &Path) -> bool {
    log_of(path).metadata().is_ok_and(|log| log.len() > 0)
}

/// SQLite's write-ahead log of a file.
pub(super) fn log_of(file: &Path) -> PathBuf {
    let mut log = file.as_os_str().to_owned();
    log.push("-wal");
    log.into()
}

/// A path as a part of a URL.
fn escaped(path: &Path) -> String {
    path.display()
        .to_string()
        .replace('%', "%25")
        .replace('?', "%3f")
        .replace('#', "%23")
}

/// The words for a statement that failed.
pub(super) fn statement_failure(error: &rusqlite::Error) -> Failure {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => store_failure(
            "The disk with the data folder is full. What was said until now is kept; nothing new can be stored.",
        ),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            store_failure(format!("The history is damaged ({error})."))
                .with_advice("Put a whole copy back, or move the file away to begin a new history.")
        }
        _ if matches!(error, rusqlite::Error::FromSqlConversionFailure(..)) => store_failure(
            format!("Something in this history can't be understood ({error})."),
        )
        .with_advice("Nothing was changed. The other sessions are not touched by it."),
        _ => store_failure(format!("The history can't be written or read ({error}).")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> (tempfile::TempDir, PathBuf) {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("x.db");
        (home, path)
    }

    #[test]
    fn a_newer_layout_is_left_alone() {
        let (_home, path) = file();
        EVENTS
            .open(&path)
            .unwrap()
            .pragma_update(None, "user_version", EVENTS.version() + 1)
            .unwrap();
        let before = std::fs::read(&path).unwrap();
        assert_eq!(
            EVENTS.open(&path).unwrap_err().kind,
            FailureKind::StoreNewer
        );
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }

    #[test]
    fn half_a_file_and_no_database_are_said_and_left_alone() {
        let (_home, path) = file();
        let db = EVENTS.open(&path).unwrap();
        db.execute_batch("CREATE TABLE filler AS SELECT randomblob(100000) AS x")
            .unwrap();
        db.close().unwrap();
        let whole = std::fs::read(&path).unwrap();
        for part in [whole.len() / 2, 4096, 100, 50] {
            std::fs::write(&path, &whole[..part]).unwrap();
            let failure = EVENTS.open(&path).unwrap_err();
            assert_eq!(failure.kind, FailureKind::Store, "{part} bytes: {failure}");
            assert_eq!(std::fs::read(&path).unwrap(), &whole[..part]);
        }
        std::fs::write(&path, vec![b'x'; 8192]).unwrap();
        assert!(EVENTS.open(&path).unwrap_err().message.contains("damaged"));
    }
}
