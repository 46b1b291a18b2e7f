-- name: make_lists
-- Rows to erase, listed in RAM.
CREATE TEMP TABLE IF NOT EXISTS doomed (row INTEGER PRIMARY KEY);
CREATE TEMP TABLE IF NOT EXISTS doomed_turn (row INTEGER PRIMARY KEY);
CREATE TEMP TABLE IF NOT EXISTS doomed_document (row INTEGER PRIMARY KEY);
DELETE FROM temp.doomed;
DELETE FROM temp.doomed_turn;
DELETE FROM temp.doomed_document

-- name: doom_some
-- The memories asked for, hidden ones too.
INSERT INTO temp.doomed SELECT row FROM memory
WHERE owner = :owner AND id IN (SELECT value FROM json_each(:ids))

-- name: doom_their_turns
-- The turns that those memories were taken from.
INSERT OR IGNORE INTO temp.doomed_turn SELECT t.row FROM temp.doomed d
JOIN source s ON s.memory = d.row JOIN turn t ON t.owner = :owner AND t.id = s.turn_id

-- name: doom_all
-- All memories of an owner.
INSERT INTO temp.doomed SELECT row FROM memory WHERE owner = :owner

-- name: doom_all_turns
-- All turns of an owner.
INSERT INTO temp.doomed_turn SELECT row FROM turn WHERE owner = :owner

-- name: doom_all_documents
-- All documents of an owner.
INSERT INTO temp.doomed_document SELECT row FROM document WHERE owner = :owner

-- name: doom_documents
-- The documents asked for.
INSERT INTO temp.doomed_document SELECT value FROM json_each(:rows)

-- name: texts
-- Every text that is about to go.
SELECT content FROM memory WHERE row IN temp.doomed
UNION ALL SELECT subject FROM memory WHERE row IN temp.doomed
UNION ALL SELECT slot_value FROM memory WHERE row IN temp.doomed
UNION ALL SELECT name FROM mention WHERE memory IN temp.doomed
UNION ALL SELECT fields FROM memory WHERE row IN temp.doomed
UNION ALL SELECT entities FROM memory WHERE row IN temp.doomed
UNION ALL SELECT valid FROM memory WHERE row IN temp.doomed
UNION ALL SELECT quote FROM source WHERE memory IN temp.doomed
UNION ALL SELECT previous FROM undo WHERE memory IN temp.doomed
UNION ALL SELECT terms FROM term WHERE memory IN temp.doomed
UNION ALL SELECT reason FROM journal WHERE owner = :owner
  AND memory_id IN (SELECT id FROM memory WHERE row IN temp.doomed)
UNION ALL SELECT user FROM turn WHERE row IN temp.doomed_turn
UNION ALL SELECT assistant FROM turn WHERE row IN temp.doomed_turn
UNION ALL SELECT error FROM turn WHERE row IN temp.doomed_turn
UNION ALL SELECT warnings FROM turn WHERE row IN temp.doomed_turn
UNION ALL SELECT text FROM "drop" WHERE turn IN temp.doomed_turn
UNION ALL SELECT namespace FROM document WHERE row IN temp.doomed_document
UNION ALL SELECT key FROM document WHERE row IN temp.doomed_document
UNION ALL SELECT value FROM document WHERE row IN temp.doomed_document
UNION ALL SELECT body FROM replay WHERE owner = :owner
UNION ALL SELECT text FROM digest g WHERE g.owner = :owner AND EXISTS (
  SELECT 1 FROM temp.doomed_turn d JOIN turn t ON t.row = d.row WHERE g.day >= t.at / 86400000000 - 1)

-- name: terms
-- The index terms that are about to go.
SELECT terms FROM term WHERE memory IN temp.doomed

-- name: vectors
-- The vectors that are about to go.
SELECT data FROM vector WHERE memory IN temp.doomed
UNION ALL SELECT data FROM document_vector WHERE document IN temp.doomed_document

-- name: counts
-- How many memories, turns and documents are about to go.
SELECT (SELECT count(*) FROM temp.doomed),
  (SELECT count(*) FROM temp.doomed_turn d JOIN turn t ON t.row = d.row WHERE t.state <> 'erased'),
  (SELECT count(*) FROM temp.doomed_document)

-- name: erase_some
-- The rows, what hangs on them, and the words of their turns; the journal keeps that it was done.
DELETE FROM link WHERE owner = :owner
  AND target IN (SELECT id FROM memory WHERE row IN temp.doomed);
UPDATE journal SET reason = '', undoable = 0 WHERE owner = :owner
  AND memory_id IN (SELECT id FROM memory WHERE row IN temp.doomed);
INSERT INTO journal (owner, at, zone, action, memory_id, actor, reason, undoable)
  SELECT :owner, :at, :zone, 'erased', id, :actor, '', 0 FROM memory WHERE row IN temp.doomed ORDER BY row;
DELETE FROM feedback WHERE owner = :owner AND memory_id IN (SELECT id FROM memory WHERE row IN temp.doomed);
DELETE FROM replay WHERE owner = :owner;
DELETE FROM undo WHERE memory IN temp.doomed;
DELETE FROM access WHERE memory IN temp.doomed;
DELETE FROM link WHERE memory IN temp.doomed;
DELETE FROM mention WHERE memory IN temp.doomed;
DELETE FROM source WHERE memory IN temp.doomed;
DELETE FROM vector WHERE memory IN temp.doomed;
DELETE FROM term WHERE memory IN temp.doomed;
DELETE FROM memory WHERE owner = :owner AND row IN temp.doomed;
DELETE FROM digest WHERE owner = :owner AND EXISTS (
  SELECT 1 FROM temp.doomed_turn d JOIN turn t ON t.row = d.row WHERE digest.day >= t.at / 86400000000 - 1);
DELETE FROM "drop" WHERE turn IN temp.doomed_turn;
UPDATE turn SET user = NULL, assistant = NULL, body = NULL, error = NULL, warnings = '[]', state = 'erased'
  WHERE owner = :owner AND row IN temp.doomed_turn;
UPDATE owner SET erasures = erasures + 1, revision = revision + 1 WHERE id = :owner

-- name: erase_all
-- Everything of an owner, the owner too.
DELETE FROM undo WHERE memory IN temp.doomed;
DELETE FROM access WHERE owner = :owner;
DELETE FROM link WHERE owner = :owner;
DELETE FROM mention WHERE owner = :owner;
DELETE FROM source WHERE owner = :owner;
DELETE FROM vector WHERE owner = :owner;
DELETE FROM term WHERE owner = :owner;
DELETE FROM journal WHERE owner = :owner;
DELETE FROM memory WHERE owner = :owner;
DELETE FROM feedback WHERE owner = :owner;
DELETE FROM replay WHERE owner = :owner;
DELETE FROM digest WHERE owner = :owner;
DELETE FROM llm_call WHERE owner = :owner;
DELETE FROM document_vector WHERE owner = :owner;
DELETE FROM document WHERE owner = :owner;
DELETE FROM "drop" WHERE owner = :owner;
DELETE FROM turn WHERE owner = :owner;
UPDATE token SET name = 'erased ' || id, owner = '', app = NULL, revoked_at = coalesce(revoked_at, :at)
  WHERE owner = (SELECT name FROM owner WHERE id = :owner);
DELETE FROM owner WHERE id = :owner

-- name: erase_documents
-- The documents listed, and their vectors.
DELETE FROM document_vector WHERE document IN temp.doomed_document;
DELETE FROM document WHERE owner = :owner AND row IN temp.doomed_document

-- name: terms_left
-- How many memories' terms the index will hold.
SELECT count(*) - (SELECT count(*) FROM temp.doomed) FROM term

-- name: pause_index
-- The next deletes leave the index alone.
INSERT INTO index_paused (id) VALUES (1)

-- name: rebuild_index
-- The index is made anew from the terms that are left.
INSERT INTO term_index (term_index) VALUES ('rebuild');
DELETE FROM index_paused

-- name: forget_lists
-- The lists have served.
DROP TABLE IF EXISTS temp.doomed;
DROP TABLE IF EXISTS temp.doomed_turn;
DROP TABLE IF EXISTS temp.doomed_document

-- name: tables
-- The tables that hold what is kept; the index's own tables are not among them.
SELECT name FROM sqlite_schema
WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE 'term_index%' AND name NOT LIKE 'sqlite%'
