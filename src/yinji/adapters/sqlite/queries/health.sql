-- name: counts
-- An owner's visible memories by what they are.
SELECT kind, validity, language, count(*) AS count FROM memory
WHERE owner = :owner AND hidden_at IS NULL GROUP BY kind, validity, language

-- name: rest
-- An owner's other counts.
SELECT
  (SELECT count(*) FROM turn WHERE owner = :owner AND state != 'erased') AS turns,
  (SELECT count(*) FROM turn WHERE owner = :owner AND state = 'waiting') AS pending,
  (SELECT count(*) FROM turn WHERE owner = :owner AND state = 'dead') AS failed,
  (SELECT count(*) FROM memory WHERE owner = :owner AND hidden_at IS NOT NULL) AS hidden,
  (SELECT count(*) FROM memory m WHERE m.owner = :owner AND m.hidden_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM vector v WHERE v.memory = m.row)) AS without_vector

-- name: drops
-- What was not kept of an owner's turns, by reason.
SELECT reason, count(*) FROM "drop" WHERE owner = :owner GROUP BY reason

-- name: term_gap
-- Memories without index terms, and terms without a memory.
SELECT (SELECT count(*) FROM memory m WHERE NOT EXISTS (SELECT 1 FROM term t WHERE t.memory = m.row AND t.owner = m.owner))
  + (SELECT count(*) FROM term t WHERE NOT EXISTS (SELECT 1 FROM memory m WHERE m.row = t.memory))

-- name: vector_gap
-- Vectors without a memory of the same owner, or of another length than the model's.
SELECT count(*) FROM vector v LEFT JOIN memory m ON m.row = v.memory AND m.owner = v.owner
LEFT JOIN model ON model.id = v.model WHERE m.row IS NULL OR model.dim IS NOT length(v.data)

-- name: owner_rows
-- How many memories an owner has, and how many have a vector.
SELECT count(*), count(v.memory) FROM memory m LEFT JOIN vector v ON v.memory = m.row WHERE m.owner = :owner

-- name: owner_there
-- Whether an owner is still there.
SELECT EXISTS (SELECT 1 FROM owner WHERE id = :owner)
