-- What programs keep under names of their own: items of a graph's store, files of a model's memory tool, the messages of
-- a session. Kept whole and found by name or by meaning; never read for memories, never in a context.

CREATE TABLE document (
  row INTEGER PRIMARY KEY AUTOINCREMENT, -- another with every change, so that whoever changes one sees whether it changed
  owner INTEGER NOT NULL REFERENCES owner(id),
  collection TEXT NOT NULL,
  namespace TEXT NOT NULL,               -- JSON [label] without blanks: what is below it begins with the same characters
  key TEXT NOT NULL,
  value TEXT NOT NULL,                   -- JSON object
  fields TEXT NOT NULL,                  -- JSON [path]: the parts of the value that it is found by
  embedded INTEGER NOT NULL,             -- whether the texts of those parts have their vectors
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (owner, collection, namespace, key)
) STRICT;
CREATE INDEX document_unembedded ON document (owner, collection) WHERE NOT embedded;

-- One for each text that a document is found by; int8, symmetric, as in the table vector.
CREATE TABLE document_vector (
  document INTEGER NOT NULL REFERENCES document(row) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  owner INTEGER NOT NULL REFERENCES owner(id),
  model INTEGER NOT NULL REFERENCES model(id),
  scale REAL NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (document, ordinal)
) STRICT, WITHOUT ROWID;
