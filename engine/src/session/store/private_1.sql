-- The history as it goes back to the model, in order. `version` is that of the text form.
CREATE TABLE items (
    id      INTEGER PRIMARY KEY,
    session TEXT NOT NULL,
    version INTEGER NOT NULL DEFAULT 1,
    body    TEXT NOT NULL
);
CREATE INDEX items_by_session ON items (session, id);
