-- name: find
-- The number of an owner.
SELECT id FROM owner WHERE name = :name

-- name: add
-- A new owner.
INSERT INTO owner (name) VALUES (:name) ON CONFLICT (name) DO NOTHING

-- name: bump
-- Counts a transaction that changes what searching sees, so that every process's cache notices.
UPDATE owner SET revision = revision + 1 WHERE id = :owner RETURNING revision

-- name: revision
-- What changes with whatever a recall could see.
SELECT revision, erasures FROM owner WHERE id = :owner

-- name: all
-- Everyone who has anything here.
SELECT name FROM owner ORDER BY name

-- name: model
-- The embedding model of this store.
SELECT id, name, dim FROM model

-- name: add_model
-- Records the model that all vectors are of.
INSERT INTO model (name, dim) VALUES (:name, :dim)

-- name: drop_models
-- Forgets the model, which only a store without vectors can.
DELETE FROM model

-- name: any_vector
-- Whether there are vectors that a change of the model would orphan.
SELECT EXISTS (SELECT 1 FROM vector) OR EXISTS (SELECT 1 FROM document_vector)
