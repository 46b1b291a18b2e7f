-- Who may come in through a server's door. Only the hash of a token's secret is kept.
-- Rows stay when a token is revoked: a store that has ever had one never answers without.

CREATE TABLE token (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  owner TEXT NOT NULL,                   -- by name: a token may come before the owner's first turn
  app TEXT,
  may TEXT NOT NULL,                     -- JSON [grant]
  digest BLOB NOT NULL UNIQUE,           -- SHA-256 of the secret
  created_at INTEGER NOT NULL,
  zone TEXT NOT NULL,
  revoked_at INTEGER
) STRICT;
