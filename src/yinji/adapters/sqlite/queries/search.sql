-- name: standing
-- How the owner's rows stand now, and the model of this store's vectors.
SELECT o.revision, o.erasures, model.id, model.name, model.dim
FROM owner o LEFT JOIN model WHERE o.id = :owner

-- name: changed
-- What searching needs of the memories that changed after a revision; a full-width question mark is 65311, a name
-- that stands before the words has up to 24 characters.
SELECT m.row, m.language, m.kind, m.validity, m.scenes, m.recorded_at, m.retired_at, m.valid_start, m.valid_end,
  m.hidden_at IS NOT NULL, t.length, v.scale, v.data,
  coalesce(s.session, ''), coalesce(s.seq, -1), substr(rtrim(m.content), -1) IN ('?', char(65311)),
  CASE WHEN s.role = 'assistant' THEN s.role
    WHEN instr(m.content, ': ') BETWEEN 2 AND 25 THEN substr(m.content, 1, instr(m.content, ': ') - 1) ELSE '' END
FROM memory m
LEFT JOIN term t ON t.memory = m.row
LEFT JOIN vector v ON v.memory = m.row AND v.model = :model
LEFT JOIN source s ON s.memory = m.row AND s.ordinal = 0
WHERE m.owner = :owner AND m.revision > :revision

-- name: rows
-- The rows that are still there.
SELECT row FROM memory WHERE owner = :owner

-- name: matches
-- The rows that hold a term, once for each time they do, as one text: far quicker than a row each.
SELECT group_concat(doc) FROM posting WHERE term = :term

-- name: ids
-- The ids of rows; the plus keeps the planner from going through all of the owner's.
SELECT row, id FROM memory WHERE +owner = :owner AND row IN (SELECT value FROM json_each(:rows))

-- name: holders
-- The rows that hold one of the names.
SELECT DISTINCT memory FROM mention WHERE owner = :owner AND name IN (SELECT value FROM json_each(:names))

-- name: terms
-- The index terms of rows; the plus as above.
SELECT memory, terms FROM term WHERE +owner = :owner AND memory IN (SELECT value FROM json_each(:rows))
