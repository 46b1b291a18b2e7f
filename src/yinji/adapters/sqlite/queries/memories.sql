-- name: add
-- A memory.
INSERT INTO memory (owner, id, revision, content, content_key, kind, layer, language, importance, confidence,
  created_at, updated_at, recorded_at, retired_at, accessed_at, hidden_at, valid_start, valid_end, valid, zones,
  recalls, validity, state, tier, pinned, subject, slot_subject, slot_attribute, slot_value, slot_single,
  polarity, modality, visibility, sensitivity, trust, fields, entities, scenes, embedded)
VALUES (:owner, :id, :revision, :content, :content_key, :kind, :layer, :language, :importance, :confidence,
  :created_at, :updated_at, :recorded_at, :retired_at, :accessed_at, :hidden_at, :valid_start, :valid_end, :valid,
  :zones, :recalls, :validity, :state, :tier, :pinned, :subject, :slot_subject, :slot_attribute, :slot_value,
  :slot_single, :polarity, :modality, :visibility, :sensitivity, :trust, :fields, :entities, :scenes, :embedded)

-- name: row_of
-- The row number of a memory.
SELECT row FROM memory WHERE owner = :owner AND id = :id

-- name: add_source
-- Where a memory was taken from; the next in the list.
INSERT INTO source (memory, ordinal, owner, turn_id, session, seq, role, start, "end", quote, at, zone, app)
VALUES (:memory, (SELECT coalesce(max(ordinal) + 1, 0) FROM source WHERE memory = :memory), :owner,
  :turn_id, :session, :seq, :role, :start, :end, :quote, :at, :zone, :app)

-- name: has_source
-- Whether a memory already names this place as its source.
SELECT EXISTS (SELECT 1 FROM source WHERE memory = :memory AND owner = :owner
  AND turn_id = :turn_id AND role = :role AND start = :start AND "end" = :end)

-- name: add_link
-- What a memory points to; the next in the list.
INSERT INTO link (memory, ordinal, owner, kind, target)
VALUES (:memory, (SELECT coalesce(max(ordinal) + 1, 0) FROM link WHERE memory = :memory), :owner, :kind, :target)

-- name: remove_link
-- Takes back that one memory points to another.
DELETE FROM link WHERE memory = :memory AND owner = :owner AND kind = :kind AND target = :target

-- name: put_terms
-- The index terms of a memory.
INSERT INTO term (memory, owner, terms, length) VALUES (:memory, :owner, :terms, :length)
ON CONFLICT (memory) DO UPDATE SET terms = excluded.terms, length = excluded.length

-- name: add_mention
-- A name that a memory holds.
INSERT OR IGNORE INTO mention (memory, name, owner) VALUES (:memory, :name, :owner)

-- name: remove_mentions
-- The names that a memory held.
DELETE FROM mention WHERE memory = :memory AND owner = :owner

-- name: mentions
-- The names that a memory holds.
SELECT name FROM mention WHERE memory = :memory AND owner = :owner

-- name: mentioned
-- (memory, name) of the rows.
SELECT m.id, n.name FROM memory m JOIN mention n ON n.memory = m.row
WHERE m.owner = :owner AND m.id IN (SELECT value FROM json_each(:ids))

-- name: put_vector
-- The vector of a memory.
INSERT INTO vector (memory, owner, model, scale, data) VALUES (:memory, :owner, :model, :scale, :data)
ON CONFLICT (memory) DO UPDATE SET model = excluded.model, scale = excluded.scale, data = excluded.data

-- name: vectors_of
-- Vectors of memories by one model.
SELECT m.id, v.scale, v.data FROM memory m JOIN vector v ON v.memory = m.row JOIN model ON model.id = v.model
WHERE m.owner = :owner AND m.id IN (SELECT value FROM json_each(:ids)) AND model.name = :model

-- name: remove_vector
-- Until it is embedded again, a memory is found by its words.
DELETE FROM vector WHERE memory = :memory AND owner = :owner

-- name: embedded
-- Notes whether a memory has a vector.
UPDATE memory SET embedded = :embedded WHERE row = :memory AND owner = :owner

-- name: mark
-- Notes that searching must look at a memory again.
UPDATE memory SET revision = :revision WHERE row = :memory AND owner = :owner

-- name: add_uses
-- Counts uses of a memory on a day.
INSERT INTO access (memory, day, owner, count) VALUES (:memory, :day, :owner, :count)
ON CONFLICT (memory, day) DO UPDATE SET count = count + excluded.count

-- name: forget_uses
-- Removes the daily counts of a memory that no longer count.
DELETE FROM access WHERE memory = :memory AND owner = :owner AND day <= :day

-- name: used
-- Notes that a memory was used.
UPDATE memory SET recalls = recalls + 1, accessed_at = :at, zones = :zones WHERE row = :memory AND owner = :owner

-- name: find
-- The rows of memories by id, hidden ones only when asked for.
SELECT row, id, zones FROM memory
WHERE owner = :owner AND id IN (SELECT value FROM json_each(:ids)) AND (:hidden OR hidden_at IS NULL)

-- name: whole
-- Memories by row; the plus keeps the planner from going through all of the owner's.
SELECT m.*, model.name AS model FROM memory m
LEFT JOIN vector v ON v.memory = m.row LEFT JOIN model ON model.id = v.model
WHERE +m.owner = :owner AND m.row IN (SELECT value FROM json_each(:rows))

-- name: sources
-- Where memories were taken from.
SELECT * FROM source
WHERE +owner = :owner AND memory IN (SELECT value FROM json_each(:rows)) ORDER BY memory, ordinal

-- name: successor
-- The memory that took another's place, the latest if several did.
SELECT m.id
FROM link AS l JOIN memory AS m ON m.row = l.memory AND m.owner = l.owner
WHERE l.owner = :owner AND l.target = :id AND l.kind = 'supersedes'
ORDER BY m.recorded_at DESC, m.row DESC
LIMIT 1

-- name: links
-- What memories point to.
SELECT * FROM link WHERE +owner = :owner AND memory IN (SELECT value FROM json_each(:rows)) ORDER BY memory, ordinal

-- name: uses
-- How often memories were used in the days that count.
SELECT memory, sum(count) FROM access
WHERE owner = :owner AND memory IN (SELECT value FROM json_each(:rows)) GROUP BY memory

-- name: in_scope
-- The rows of the memories that a scope lets see; replaced: {only}, {order}.
SELECT m.row FROM memory m
WHERE m.owner = :owner
  AND (:hidden OR m.hidden_at IS NULL)
  AND (:kinds IS NULL OR m.kind IN (SELECT value FROM json_each(:kinds)))
  AND (:scenes IS NULL OR EXISTS (
    SELECT 1 FROM json_each(m.scenes) has JOIN json_each(:scenes) wanted ON wanted.value = has.value))
  AND (:as_of IS NOT NULL OR :validity IS NULL OR m.validity IN (SELECT value FROM json_each(:validity)))
  AND (:as_of IS NULL OR (m.recorded_at <= :as_of AND (m.retired_at IS NULL OR m.retired_at > :as_of)))
  AND (:since IS NULL OR m.validity <> 'superseded' OR m.retired_at IS NULL OR m.retired_at > :since)
  AND (m.valid_start IS NULL OR :until IS NULL OR m.valid_start < :until)
  AND (m.valid_end IS NULL OR :since IS NULL OR max(m.valid_end, coalesce(m.valid_start + 1, m.valid_end)) > :since)
  AND {only}
ORDER BY {order} LIMIT :limit OFFSET :offset

-- name: hard_facts
-- What a context always shows; the condition is that of the index memory_hard, word for word.
pinned OR layer = 'core'
  OR slot_attribute = 'allergy'
  OR (subject = 'user' AND (kind IN ('preference', 'procedure') OR slot_single OR importance >= 0.75))

-- name: ending
-- Ids by how they end.
SELECT id FROM memory WHERE owner = :owner AND lower(substr(id, -:length)) = :tail ORDER BY row LIMIT :limit

-- name: page
-- The next rows after a place in the order of being learned.
SELECT row, recorded_at FROM memory
WHERE owner = :owner AND (recorded_at, row) > (:recorded_at, :row) ORDER BY recorded_at, row LIMIT :limit

-- name: by_slot
-- Current memories that say something of a subject.
SELECT row FROM memory
WHERE owner = :owner AND slot_subject = :subject AND slot_attribute = :attribute
  AND validity IN ('current', 'disputed') AND hidden_at IS NULL ORDER BY row

-- name: by_content
-- Current memories with this content.
SELECT row FROM memory
WHERE owner = :owner AND content_key = :key AND validity IN ('current', 'disputed') AND hidden_at IS NULL ORDER BY row

-- name: without_vector
-- Memories that have no vector, oldest first.
SELECT o.name, m.id, m.content FROM memory m JOIN owner o ON o.id = m.owner
WHERE NOT m.embedded AND m.hidden_at IS NULL ORDER BY m.row LIMIT :limit

-- name: all_contents
-- All memories, oldest first: to whom no vector of another model is of use.
SELECT o.name, m.id, m.content FROM memory m JOIN owner o ON o.id = m.owner
WHERE m.hidden_at IS NULL ORDER BY m.row LIMIT :limit
