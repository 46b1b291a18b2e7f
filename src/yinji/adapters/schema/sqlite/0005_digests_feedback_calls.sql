-- What was not kept stays readable: as a digest by day once its time is over. What became of memories that were shown,
-- and how often a language model was asked. Never content beside the digests.

CREATE TABLE digest (
  owner INTEGER NOT NULL REFERENCES owner(id),
  day INTEGER NOT NULL,                  -- days since 1970 in UTC
  pieces INTEGER NOT NULL,               -- how many there were
  text TEXT NOT NULL,                    -- the ones that say most, a line each
  PRIMARY KEY (owner, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE feedback (
  row INTEGER PRIMARY KEY,
  owner INTEGER NOT NULL REFERENCES owner(id),
  memory_id TEXT NOT NULL,
  verdict TEXT NOT NULL CHECK (verdict IN ('used', 'irrelevant', 'corrected', 'deleted')),
  rank INTEGER,                          -- where it stood among the hits, if the caller told
  at INTEGER NOT NULL,
  zone TEXT NOT NULL
) STRICT;
CREATE INDEX feedback_memory ON feedback (owner, memory_id);

CREATE TABLE llm_call (
  owner INTEGER NOT NULL REFERENCES owner(id),
  day INTEGER NOT NULL,
  calls INTEGER NOT NULL,
  PRIMARY KEY (owner, day)
) STRICT, WITHOUT ROWID;

CREATE INDEX drop_at ON "drop" (owner, at);
