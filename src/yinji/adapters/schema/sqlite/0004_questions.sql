-- What the user is to be asked: of two memories, which holds. No words of its own; it goes with either of them.

CREATE TABLE question (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  owner INTEGER NOT NULL REFERENCES owner(id),
  at INTEGER NOT NULL,
  zone TEXT NOT NULL,
  verdict TEXT NOT NULL,                 -- update, conflict or unsure: what the new one may be to the old one
  old INTEGER NOT NULL REFERENCES memory(row) ON DELETE CASCADE,
  new INTEGER NOT NULL REFERENCES memory(row) ON DELETE CASCADE,
  turn INTEGER,                          -- the turn whose reading raised it
  answer TEXT,
  answered_at INTEGER,
  UNIQUE (old, new)
) STRICT;
CREATE INDEX question_owner ON question (owner) WHERE answer IS NULL;
CREATE INDEX question_new ON question (new);
