-- All events but the pieces of answers, which are by far the most: a session is read by these alone, and by
-- the pieces of the few steps that have no whole text. A piece is known by how its body begins.
CREATE INDEX events_but_pieces ON events (session, id) WHERE substr(body, 1, 21) <> '{"event":"text_delta"';
