-- name: find
-- The answer kept for a key, unless it is too old.
SELECT request, status, body FROM replay WHERE owner = :owner AND key = :key AND at >= :since

-- name: erasures
-- How often something of the owner was erased.
SELECT erasures FROM owner WHERE id = :owner

-- name: keep
-- An answer, unless something was erased since it was begun: it might hold that.
INSERT OR REPLACE INTO replay (owner, key, request, status, body, at)
SELECT id, :key, :request, :status, :body, :at FROM owner WHERE id = :owner AND erasures = :erasures

-- name: drop_old
-- Those whose time is over, and the oldest of too many.
DELETE FROM replay WHERE at < :since OR row <= (SELECT max(row) FROM replay) - :most

-- name: drop_owners
-- All of an owner's: one of his memories is hidden.
DELETE FROM replay WHERE owner = :owner
