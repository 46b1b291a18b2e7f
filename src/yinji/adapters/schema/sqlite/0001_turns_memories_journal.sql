-- Turns in, memories kept, and a journal of what was done to them. Every table names the owner.
-- Times are microseconds since 1970 in UTC; beside them stands the zone they were said in.
-- Row numbers are never used again (AUTOINCREMENT): caches in other processes go by them.

CREATE TABLE owner (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  revision INTEGER NOT NULL DEFAULT 0,   -- counts the transactions that changed this owner's memories
  erasures INTEGER NOT NULL DEFAULT 0    -- counts those that removed rows: a cache cannot see a missing row by revision
) STRICT;

-- The embedding model that this store's vectors are of: one row, or none yet.
CREATE TABLE model (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  dim INTEGER NOT NULL
) STRICT;

-- The short-term buffer and the work queue in one: a turn waits, then is done, dead or erased.
-- The texts go (NULL) when the buffer's time is over or the turn is erased; the key stays, so that it is never read twice.
CREATE TABLE turn (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  owner INTEGER NOT NULL REFERENCES owner(id),
  id TEXT NOT NULL,
  session TEXT NOT NULL,
  seq INTEGER NOT NULL,
  key TEXT NOT NULL,
  user TEXT,
  assistant TEXT,
  body BLOB,                             -- hash of both texts, to tell a repeated turn from a reused key
  at INTEGER NOT NULL,
  zone TEXT NOT NULL,
  role TEXT NOT NULL,
  app TEXT,
  language TEXT,
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'done', 'dead', 'erased')),
  attempts INTEGER NOT NULL DEFAULT 0,
  error TEXT,
  warnings TEXT NOT NULL DEFAULT '[]',
  UNIQUE (owner, id),
  UNIQUE (owner, key)
) STRICT;
CREATE INDEX turn_session ON turn (owner, session, seq);
CREATE INDEX turn_state ON turn (owner, state);
CREATE INDEX turn_waiting ON turn (row) WHERE state = 'waiting';
CREATE INDEX turn_at ON turn (at) WHERE state = 'done' AND user IS NOT NULL;

-- Who may read waiting turns now: one process at a time.
CREATE TABLE lease (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  holder TEXT NOT NULL,
  until INTEGER NOT NULL
) STRICT;

CREATE TABLE "drop" (
  row INTEGER PRIMARY KEY,
  owner INTEGER NOT NULL REFERENCES owner(id),
  turn INTEGER NOT NULL REFERENCES turn(row) ON DELETE CASCADE,
  text TEXT NOT NULL,
  reason TEXT NOT NULL,
  start INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  role TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX drop_turn ON "drop" (turn);
CREATE INDEX drop_owner ON "drop" (owner, reason);

CREATE TABLE memory (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  owner INTEGER NOT NULL REFERENCES owner(id),
  id TEXT NOT NULL,
  revision INTEGER NOT NULL,             -- of the owner, when this row last changed in a way that searching sees
  content TEXT NOT NULL,
  content_key BLOB NOT NULL,             -- hash of the normalised content
  kind TEXT NOT NULL,
  layer TEXT NOT NULL,
  language TEXT NOT NULL,
  importance REAL NOT NULL,
  confidence REAL NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  retired_at INTEGER,
  accessed_at INTEGER,
  hidden_at INTEGER,
  valid_start INTEGER,
  valid_end INTEGER,
  valid TEXT,                            -- JSON [grain, recurrence, text]; NULL: no interval
  zones TEXT NOT NULL,                   -- of the eight times above, comma-separated; a single one holds for all
  recalls INTEGER NOT NULL,
  validity TEXT NOT NULL,
  state TEXT NOT NULL,
  tier TEXT NOT NULL,
  pinned INTEGER NOT NULL,
  subject TEXT NOT NULL,
  slot_subject TEXT,
  slot_attribute TEXT,
  slot_value TEXT,
  slot_single INTEGER,
  polarity TEXT NOT NULL,
  modality TEXT NOT NULL,
  visibility TEXT NOT NULL,
  sensitivity TEXT NOT NULL,
  trust TEXT NOT NULL,
  fields TEXT NOT NULL,                  -- JSON {name: [[text, start, end]]}
  entities TEXT NOT NULL,                -- JSON [[name, type, start, end]]
  scenes TEXT NOT NULL,                  -- JSON [name]
  embedded INTEGER NOT NULL,             -- whether it has a vector: the few without must be found at once
  UNIQUE (owner, id)
) STRICT;
CREATE INDEX memory_revision ON memory (owner, revision);
CREATE INDEX memory_recorded ON memory (owner, recorded_at);
CREATE INDEX memory_content ON memory (owner, content_key);
CREATE INDEX memory_slot ON memory (owner, slot_subject, slot_attribute) WHERE slot_attribute IS NOT NULL;
-- What a context always shows, the most important first (hard_facts in memories.sql repeats the condition to use it).
CREATE INDEX memory_hard ON memory (owner, importance, recorded_at) WHERE pinned OR layer = 'core'
  OR (subject = 'user' AND (kind IN ('preference', 'procedure') OR slot_single OR importance >= 0.75));
CREATE INDEX memory_unembedded ON memory (row) WHERE NOT embedded;
CREATE INDEX memory_hidden ON memory (hidden_at) WHERE hidden_at IS NOT NULL;

CREATE TABLE source (
  memory INTEGER NOT NULL REFERENCES memory(row) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  owner INTEGER NOT NULL REFERENCES owner(id),
  turn_id TEXT NOT NULL,
  session TEXT NOT NULL,
  seq INTEGER NOT NULL,
  role TEXT NOT NULL,
  start INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  quote TEXT NOT NULL,
  at INTEGER NOT NULL,
  zone TEXT NOT NULL,
  app TEXT,
  PRIMARY KEY (memory, ordinal)
) STRICT, WITHOUT ROWID;

CREATE INDEX source_turn ON source (owner, session, seq);

CREATE TABLE link (
  memory INTEGER NOT NULL REFERENCES memory(row) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  owner INTEGER NOT NULL REFERENCES owner(id),
  kind TEXT NOT NULL,
  target TEXT NOT NULL,
  PRIMARY KEY (memory, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX link_target ON link (owner, target);

-- Real uses, counted by day.
CREATE TABLE access (
  memory INTEGER NOT NULL REFERENCES memory(row) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  owner INTEGER NOT NULL REFERENCES owner(id),
  count INTEGER NOT NULL,
  PRIMARY KEY (memory, day)
) STRICT, WITHOUT ROWID;

-- int8, symmetric: the vector is data * scale, of unit length.
CREATE TABLE vector (
  memory INTEGER PRIMARY KEY REFERENCES memory(row) ON DELETE CASCADE,
  owner INTEGER NOT NULL REFERENCES owner(id),
  model INTEGER NOT NULL REFERENCES model(id),
  scale REAL NOT NULL,
  data BLOB NOT NULL
) STRICT;

-- The index terms of a memory, separated by spaces, each prefixed with its owner ("o12:...").
CREATE TABLE term (
  memory INTEGER PRIMARY KEY REFERENCES memory(row) ON DELETE CASCADE,
  owner INTEGER NOT NULL REFERENCES owner(id),
  terms TEXT NOT NULL,
  length INTEGER NOT NULL
) STRICT;

-- External content, because the terms of a contentless index outlive its deletes.
-- All printable ASCII is part of a token, so that only the space separates.
CREATE VIRTUAL TABLE term_index USING fts5 (
  terms, content = 'term', content_rowid = 'memory', columnsize = 0,
  tokenize = "ascii tokenchars '!""#$%&''''()*+,-./:;<=>?@[\]^_`{|}~'"
);
INSERT INTO term_index (term_index, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE posting USING fts5vocab (term_index, instance);

-- A row here lets many terms go at once: the index is rebuilt after, in the same transaction.
CREATE TABLE index_paused (id INTEGER PRIMARY KEY CHECK (id = 1)) STRICT;

CREATE TRIGGER term_added AFTER INSERT ON term BEGIN
  INSERT INTO term_index (rowid, terms) VALUES (new.memory, new.terms);
END;
CREATE TRIGGER term_removed AFTER DELETE ON term WHEN NOT EXISTS (SELECT 1 FROM index_paused) BEGIN
  INSERT INTO term_index (term_index, rowid, terms) VALUES ('delete', old.memory, old.terms);
END;
CREATE TRIGGER term_changed AFTER UPDATE ON term BEGIN
  INSERT INTO term_index (term_index, rowid, terms) VALUES ('delete', old.memory, old.terms);
  INSERT INTO term_index (rowid, terms) VALUES (new.memory, new.terms);
END;

-- What was done, when, by whom. Never content.
CREATE TABLE journal (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  owner INTEGER NOT NULL REFERENCES owner(id),
  at INTEGER NOT NULL,
  zone TEXT NOT NULL,
  action TEXT NOT NULL,
  memory_id TEXT,
  actor TEXT NOT NULL,
  reason TEXT NOT NULL,
  turn INTEGER,                          -- the turn whose reading did it
  undoable INTEGER NOT NULL,
  undone INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX journal_owner ON journal (owner);
CREATE INDEX journal_memory ON journal (owner, memory_id);
CREATE INDEX journal_turn ON journal (turn) WHERE turn IS NOT NULL;

-- What it was before, where undoing needs to know: goes with the memory.
CREATE TABLE undo (
  journal INTEGER PRIMARY KEY REFERENCES journal(id) ON DELETE CASCADE,
  memory INTEGER NOT NULL REFERENCES memory(row) ON DELETE CASCADE,
  previous TEXT NOT NULL
) STRICT;
CREATE INDEX undo_memory ON undo (memory);
