-- name: dropped
-- What was not kept, newest first; one reason or all, one piece or all.
SELECT d.row AS number, d.text, d.reason, d.role, d.at AS dropped_at, t.id AS turn_id, t.session, t.app, t.at, t.zone
FROM "drop" d JOIN turn t ON t.row = d.turn
WHERE d.owner = :owner AND (:reason IS NULL OR d.reason = :reason) AND (:number IS NULL OR d.row = :number)
ORDER BY d.row DESC LIMIT :limit

-- name: let_go
-- Removes a piece that was not kept.
DELETE FROM "drop" WHERE owner = :owner AND row = :number

-- name: let_go_of_turn
-- Removes the words of the turn that the piece came from, unless a memory came from it too.
UPDATE turn SET user = NULL, assistant = NULL WHERE owner = :owner AND id = :turn_id
  AND NOT EXISTS (SELECT 1 FROM source WHERE owner = :owner AND source.turn_id = :turn_id)

-- name: days
-- Days that are over, of owners with something unkept, and have no digest yet.
SELECT DISTINCT d.owner, o.name, d.at / 86400000000 AS day FROM "drop" d JOIN owner o ON o.id = d.owner
WHERE d.at < :before AND d.reason <> 'injection'
  AND NOT EXISTS (SELECT 1 FROM digest g WHERE g.owner = d.owner AND g.day = d.at / 86400000000)

-- name: of_day
-- What was not kept on one day.
SELECT text, reason FROM "drop" WHERE owner = :owner AND at >= :since AND at < :until AND reason <> 'injection'
ORDER BY row

-- name: add_digest
-- What one day's unkept pieces come to.
INSERT INTO digest (owner, day, pieces, text) VALUES (:owner, :day, :pieces, :text) ON CONFLICT (owner, day) DO NOTHING

-- name: digests
-- The digests of an owner, newest first.
SELECT day, pieces, text FROM digest WHERE owner = :owner ORDER BY day DESC

-- name: sweep_digests
-- Removes digests whose time is over.
DELETE FROM digest WHERE day < :day

-- name: add_feedback
-- What became of a memory that was shown.
INSERT INTO feedback (owner, memory_id, verdict, rank, at, zone)
VALUES (:owner, :memory_id, :verdict, :rank, :at, :zone)

-- name: feedback
-- All of it, oldest first.
SELECT memory_id, verdict, rank, at, zone FROM feedback WHERE owner = :owner ORDER BY row

-- name: calls
-- How often a language model was asked on a day, for whomever.
SELECT coalesce(sum(calls), 0) FROM llm_call WHERE day = :day

-- name: count_call
-- One more.
INSERT INTO llm_call (owner, day, calls) VALUES (:owner, :day, 1)
ON CONFLICT (owner, day) DO UPDATE SET calls = calls + 1
