-- name: by_key
-- The turn that already has this key.
SELECT t.*, o.name AS owner_name FROM turn t JOIN owner o ON o.id = t.owner WHERE t.owner = :owner AND t.key = :key

-- name: by_id
-- The turn with this id.
SELECT t.*, o.name AS owner_name FROM turn t JOIN owner o ON o.id = t.owner WHERE t.owner = :owner AND t.id = :id

-- name: next_seq
-- The number after the session's last.
SELECT coalesce(max(seq), 0) + 1 FROM turn WHERE owner = :owner AND session = :session

-- name: add
-- A turn that waits to be read.
INSERT INTO turn (owner, id, session, seq, key, user, assistant, body, at, zone, role, app, language)
VALUES (:owner, :id, :session, :seq, :key, :user, :assistant, :body, :at, :zone, :role, :app, :language)

-- name: any_waiting
-- Whether there is anything to read.
SELECT EXISTS (SELECT 1 FROM turn WHERE state = 'waiting')

-- name: lease
-- Who reads now, and until when.
SELECT holder, until FROM lease WHERE id = 1

-- name: take_lease
-- Gives the lease to a holder.
INSERT INTO lease (id, holder, until) VALUES (1, :holder, :until)
ON CONFLICT (id) DO UPDATE SET holder = excluded.holder, until = excluded.until

-- name: release_lease
-- Takes the lease from a holder that has it.
DELETE FROM lease WHERE holder = :holder

-- name: waiting
-- The oldest turns that nobody has read.
SELECT t.*, o.name AS owner_name FROM turn t JOIN owner o ON o.id = t.owner
WHERE t.state = 'waiting' ORDER BY t.row LIMIT :limit

-- name: unread
-- The row of a turn that may still be read; dead letters may.
SELECT row FROM turn WHERE owner = :owner AND id = :id AND state IN ('waiting', 'dead')

-- name: done
-- Takes a turn off the queue.
UPDATE turn SET state = 'done', warnings = :warnings, error = NULL WHERE row = :row AND owner = :owner

-- name: fail
-- Counts a failed reading; too many make the turn a dead letter.
UPDATE turn SET attempts = attempts + 1, error = :error,
  state = CASE WHEN attempts + 1 >= :limit THEN 'dead' ELSE state END
WHERE owner = :owner AND id = :id AND state = 'waiting'

-- name: pending
-- How many wait, of one owner or of all, of some turns or of all.
SELECT count(*) FROM turn t
WHERE t.state = 'waiting'
  AND (:owner IS NULL OR t.owner = (SELECT id FROM owner WHERE name = :owner))
  AND (:ids IS NULL OR t.id IN (SELECT value FROM json_each(:ids)))

-- name: effects
-- What the reading of a turn did to memories; what it only put in doubt is still as it was.
SELECT action, memory_id FROM journal
WHERE turn = :turn AND owner = :owner AND action NOT IN ('overtaken', 'not_forgotten') ORDER BY id

-- name: add_drop
-- A piece of a turn that was not kept.
INSERT INTO "drop" (owner, turn, text, reason, start, "end", role, at)
VALUES (:owner, :turn, :text, :reason, :start, :end, :role, :at)

-- name: drops
-- What was not kept of a turn.
SELECT * FROM "drop" WHERE turn = :turn AND owner = :owner ORDER BY row

-- name: recent
-- The last turns of a session whose words are still there, newest first.
SELECT t.*, o.name AS owner_name FROM turn t JOIN owner o ON o.id = t.owner
WHERE t.owner = :owner AND t.session = :session AND t.user IS NOT NULL AND (:before IS NULL OR t.seq < :before)
ORDER BY t.seq DESC LIMIT :limit

-- name: sweep_turns
-- Lets go of the words of turns that are done and old, but for the owner's last ones.
UPDATE turn SET user = NULL, assistant = NULL
WHERE state = 'done' AND user IS NOT NULL AND at < :before AND row NOT IN (
  SELECT row FROM (SELECT row, row_number() OVER (PARTITION BY owner ORDER BY row DESC) AS place FROM turn)
  WHERE place <= :keep)

-- name: sweep_drops
-- Removes what was not kept and is old, but for the quarantine, which the user decides on.
DELETE FROM "drop" WHERE at < :before AND reason <> 'injection'

-- name: sweep_access
-- Removes daily counts that no longer count.
DELETE FROM access WHERE day < :day
