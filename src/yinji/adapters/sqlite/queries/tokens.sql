-- name: add
-- A token, known by the hash of its secret.
INSERT INTO token (name, owner, app, may, digest, created_at, zone, until, until_zone)
VALUES (:name, :owner, :app, :may, :digest, :created_at, :zone, :until, :until_zone)

-- name: by_digest
-- The token that this secret belongs to, while it holds.
SELECT * FROM token WHERE digest = :digest AND revoked_at IS NULL AND (until IS NULL OR until > :now)

-- name: by_name
-- Whether this name was ever given.
SELECT EXISTS (SELECT 1 FROM token WHERE name = :name)

-- name: all
-- Every token that was not revoked, oldest first; the time of some may be over.
SELECT * FROM token WHERE revoked_at IS NULL ORDER BY id

-- name: any
-- Whether there has ever been one.
SELECT EXISTS (SELECT 1 FROM token)

-- name: revoke
-- From now on this token opens nothing.
UPDATE token SET revoked_at = :at WHERE name = :name AND revoked_at IS NULL
