-- name: add
-- One change.
INSERT INTO journal (owner, at, zone, action, memory_id, actor, reason, turn, undoable)
VALUES (:owner, :at, :zone, :action, :memory_id, :actor, :reason, :turn, :undoable)

-- name: add_undo
-- What a memory was before the change.
INSERT INTO undo (journal, memory, previous) VALUES (:journal, :memory, :previous)

-- name: lines
-- The changes of an owner, newest first.
SELECT j.*, t.app FROM journal j LEFT JOIN turn t ON t.row = j.turn
WHERE j.owner = :owner ORDER BY j.id DESC LIMIT :limit

-- name: lines_of_memory
-- The changes of one memory, newest first.
SELECT j.*, t.app FROM journal j LEFT JOIN turn t ON t.row = j.turn
WHERE j.owner = :owner AND j.memory_id = :memory_id ORDER BY j.id DESC LIMIT :limit

-- name: line
-- One change with what was before it.
SELECT j.*, u.previous, t.app
FROM journal j LEFT JOIN undo u ON u.journal = j.id LEFT JOIN turn t ON t.row = j.turn
WHERE j.owner = :owner AND j.id = :id

-- name: together
-- The changes that reading the same turn made, or the same command of the user at the same moment, and that can still
-- be taken back, newest first.
SELECT j.id FROM journal j JOIN journal this ON this.owner = j.owner
  AND (this.turn = j.turn OR (this.turn IS NULL AND j.turn IS NULL AND this.actor = j.actor AND this.at = j.at
    AND this.reason NOT LIKE '#%' AND j.reason NOT LIKE '#%'))
WHERE this.owner = :owner AND this.id = :id AND j.undoable AND NOT j.undone ORDER BY j.id DESC

-- name: later
-- Whether a memory was changed again in the same way since.
SELECT EXISTS (SELECT 1 FROM journal j
WHERE j.owner = :owner AND j.memory_id = :memory_id AND j.id > :id AND j.undoable AND NOT j.undone
  AND j.action IN (SELECT value FROM json_each(:actions)))

-- name: undone
-- Notes that a change was taken back.
UPDATE journal SET undone = 1 WHERE id = :id AND owner = :owner

-- name: retire
-- A memory stops being current.
UPDATE memory SET validity = :validity, retired_at = :at, updated_at = :at, zones = :zones, revision = :revision
WHERE row = :memory AND owner = :owner

-- name: unretire
-- A memory is what it was before.
UPDATE memory SET validity = :validity, retired_at = :retired_at, updated_at = :at, zones = :zones,
  revision = :revision
WHERE row = :memory AND owner = :owner

-- name: hide
-- A memory is out of every read.
UPDATE memory SET hidden_at = :at, zones = :zones, revision = :revision WHERE row = :memory AND owner = :owner

-- name: show
-- A memory is back.
UPDATE memory SET hidden_at = NULL, revision = :revision WHERE row = :memory AND owner = :owner

-- name: edit
-- What a user may change of a memory.
UPDATE memory SET content = :content, content_key = :content_key, kind = :kind, layer = :layer,
  importance = :importance, scenes = :scenes, language = :language, sensitivity = :sensitivity, subject = :subject,
  slot_subject = :slot_subject, slot_attribute = :slot_attribute, slot_value = :slot_value, slot_single = :slot_single,
  polarity = :polarity, modality = :modality, fields = :fields, entities = :entities, updated_at = :at, zones = :zones,
  revision = :revision
WHERE row = :memory AND owner = :owner

-- name: pin
-- A pinned memory never fades.
UPDATE memory SET pinned = :pinned, updated_at = :at, zones = :zones WHERE row = :memory AND owner = :owner

-- name: state
-- All of a memory that changes touch.
SELECT m.row, m.content, m.kind, m.layer, m.importance, m.scenes, m.language, m.sensitivity, m.subject, m.slot_subject,
  m.slot_attribute, m.slot_value, m.slot_single, m.polarity, m.modality, m.fields, m.entities, m.pinned, m.validity, m.retired_at,
  m.hidden_at, m.zones, t.terms, v.scale, v.data, v.model
FROM memory m LEFT JOIN term t ON t.memory = m.row LEFT JOIN vector v ON v.memory = m.row
WHERE m.owner = :owner AND m.id = :id

-- name: put_terms_as_they_were
-- The index terms of a memory, marked already.
UPDATE term SET terms = :terms, length = :length WHERE memory = :memory AND owner = :owner

-- name: put_vector_as_it_was
-- The vector of a memory, quantised already.
INSERT INTO vector (memory, owner, model, scale, data) VALUES (:memory, :owner, :model, :scale, :data)

-- name: hidden_before
-- What was softly deleted before a time.
SELECT o.name, m.id FROM memory m JOIN owner o ON o.id = m.owner WHERE m.hidden_at < :before ORDER BY m.hidden_at
