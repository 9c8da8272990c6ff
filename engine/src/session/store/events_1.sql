-- One row a session; the columns beside its id are what lists show and are kept with each event.
CREATE TABLE sessions (
    id         TEXT PRIMARY KEY,
    title      TEXT NOT NULL DEFAULT '',
    folder     TEXT,
    mode       TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    runs       INTEGER NOT NULL DEFAULT 0,
    -- The run that has started and not finished.
    open_run   TEXT
) WITHOUT ROWID;

-- Append-only. `version` is that of the event's text form.
CREATE TABLE events (
    id      INTEGER PRIMARY KEY,
    session TEXT NOT NULL,
    at      INTEGER NOT NULL,
    version INTEGER NOT NULL DEFAULT 1,
    body    TEXT NOT NULL
);
CREATE INDEX events_by_session ON events (session, id);

-- What was said, for the search. Three-letter pieces find words of scripts without spaces too.
CREATE VIRTUAL TABLE said USING fts5 (
    text, session UNINDEXED, role UNINDEXED, at UNINDEXED, tokenize = 'trigram'
);
