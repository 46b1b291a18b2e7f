-- Answers of a server's door that are given again to a request that comes again with the same key, for a day at most.
-- They may hold what memories say: whatever hides or erases a memory takes all of its owner's along.

CREATE TABLE replay (
  row INTEGER PRIMARY KEY,
  owner INTEGER NOT NULL REFERENCES owner(id),
  key BLOB NOT NULL,                     -- SHA-256 of who asked and the key he gave
  request BLOB NOT NULL,                 -- SHA-256 of what was asked
  status INTEGER NOT NULL,
  body TEXT NOT NULL,
  at INTEGER NOT NULL,
  UNIQUE (owner, key)
) STRICT;
CREATE INDEX replay_at ON replay (at);
