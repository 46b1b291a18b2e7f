-- name: add
-- A question; the same pair is asked about once.
INSERT OR IGNORE INTO question (owner, at, zone, verdict, old, new, turn)
SELECT :owner, :at, :zone, :verdict, o.row, n.row, :turn FROM memory o, memory n
WHERE o.owner = :owner AND o.id = :old AND n.owner = :owner AND n.id = :new

-- name: listed
-- Questions, oldest first. Open ones whose memories no longer matter are not asked: the old one must hold, and the new
-- one must hold or wait.
SELECT q.id, q.at, q.zone, q.verdict, q.answer, o.id AS old, n.id AS new
FROM question q JOIN memory o ON o.row = q.old JOIN memory n ON n.row = q.new
WHERE q.owner = :owner AND (:answered IS NULL OR (q.answer IS NOT NULL) = :answered)
  AND (:answered IS NOT 0 OR (o.hidden_at IS NULL AND o.validity IN ('current', 'disputed')
    AND n.validity IN ('current', 'disputed') AND ((n.hidden_at IS NULL) = (q.verdict <> 'unsure'))))
ORDER BY q.id

-- name: one
-- One question.
SELECT q.id, q.at, q.zone, q.verdict, q.answer, o.id AS old, n.id AS new
FROM question q JOIN memory o ON o.row = q.old JOIN memory n ON n.row = q.new
WHERE q.owner = :owner AND q.id = :id

-- name: answer
-- What the user said.
UPDATE question SET answer = :answer, answered_at = :at WHERE owner = :owner AND id = :id

-- name: reopen
-- Asks again what was answered at that moment.
UPDATE question SET answer = NULL, answered_at = NULL WHERE owner = :owner AND answered_at = :at
