-- name: counts
-- An owner's memories by what they are; in the order of being learned, which is nearly that of the rows.
SELECT m.kind, m.validity, m.language, m.hidden_at IS NOT NULL AS hidden, m.embedded,
  count(*) AS count
FROM memory m INDEXED BY memory_recorded
WHERE m.owner = :owner GROUP BY m.kind, m.validity, m.language, hidden, m.embedded

-- name: turns
-- An owner's turns by how far they are.
SELECT state, count(*) FROM turn WHERE owner = :owner GROUP BY state

-- name: drops
-- What was not kept of an owner's turns, by reason.
SELECT reason, count(*) FROM "drop" WHERE owner = :owner GROUP BY reason

-- name: term_gap
-- Memories without index terms, and terms without a memory.
SELECT (SELECT count(*) FROM memory m WHERE NOT EXISTS (SELECT 1 FROM term t WHERE t.memory = m.row AND t.owner = m.owner))
  + (SELECT count(*) FROM term t WHERE NOT EXISTS (SELECT 1 FROM memory m WHERE m.row = t.memory))

-- name: vector_gap
-- Vectors without a memory of the same owner that knows of it, or of another length than the model's.
SELECT (
  SELECT count(*) FROM vector v LEFT JOIN memory m ON m.row = v.memory AND m.owner = v.owner
  LEFT JOIN model ON model.id = v.model WHERE m.row IS NULL OR model.dim IS NOT length(v.data)
) + (
  SELECT count(*) FROM memory m LEFT JOIN vector v ON v.memory = m.row WHERE m.embedded != (v.memory IS NOT NULL)
)

-- name: model_calls
-- About how many turns of an owner's a language model was asked.
SELECT coalesce(sum(calls), 0) FROM llm_call WHERE owner = :owner

-- name: documents
-- How many documents programs keep for an owner.
SELECT count(*) FROM document WHERE owner = :owner

-- name: document_gap
-- Vectors of a document that is not there, has another owner or does not know of them, or of another length.
SELECT count(*) FROM document_vector v LEFT JOIN document d ON d.row = v.document AND d.owner = v.owner
LEFT JOIN model ON model.id = v.model WHERE d.row IS NULL OR NOT d.embedded OR model.dim IS NOT length(v.data)

-- name: owner_rows
-- How many memories an owner has, and how many have a vector.
SELECT count(*), count(v.memory) FROM memory m LEFT JOIN vector v ON v.memory = m.row WHERE m.owner = :owner

-- name: owner_there
-- Whether an owner is still there.
SELECT EXISTS (SELECT 1 FROM owner WHERE id = :owner)
