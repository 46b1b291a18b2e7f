-- name: stamp
-- The row of a document and when it was first written.
SELECT row, created_at FROM document
WHERE owner = :owner AND collection = :collection AND namespace = :namespace AND key = :key

-- name: remove
-- A document with its vectors.
DELETE FROM document WHERE row = :row AND owner = :owner

-- name: add
-- A document under a row of its own.
INSERT INTO document (owner, collection, namespace, key, value, fields, embedded, created_at, updated_at)
VALUES (:owner, :collection, :namespace, :key, :value, :fields, :embedded, :created_at, :updated_at)

-- name: add_vector
-- The vector of one of its texts.
INSERT INTO document_vector (document, ordinal, owner, model, scale, data)
VALUES (:document, :ordinal, :owner, :model, :scale, :data)

-- name: embedded
-- Notes that a document has its vectors; not one that was changed meanwhile.
UPDATE document SET embedded = 1 WHERE row = :row AND owner = :owner AND NOT embedded RETURNING row

-- name: on_shelf
-- Documents of a namespace and, where asked for, below it: in the order of their last change.
SELECT row, collection, namespace, key, value, fields, created_at, updated_at FROM document
WHERE owner = :owner AND collection = :collection
  AND (namespace = :namespace OR (:below AND namespace >= :since AND namespace < :until))
  AND (:key IS NULL OR key = :key) AND (NOT :pending OR NOT embedded)
ORDER BY CASE WHEN :newest_first THEN -row ELSE row END LIMIT :limit OFFSET :offset

-- name: at_rows
-- Documents by their rows.
SELECT row, collection, namespace, key, value, fields, created_at, updated_at FROM document
WHERE owner = :owner AND row IN (SELECT value FROM json_each(:rows))

-- name: page
-- Some of an owner's documents after a row, of all collections.
SELECT row, collection, namespace, key, value, fields, created_at, updated_at FROM document
WHERE owner = :owner AND row > :after ORDER BY row LIMIT :limit

-- name: namespaces
-- Where a collection has documents.
SELECT DISTINCT namespace FROM document WHERE owner = :owner AND collection = :collection

-- name: vectors
-- What the documents of a shelf are found by.
SELECT d.row, v.scale, v.data FROM document d JOIN document_vector v ON v.document = d.row
JOIN model ON model.id = v.model
WHERE d.owner = :owner AND d.collection = :collection AND model.name = :model
  AND (d.namespace = :namespace OR (:below AND d.namespace >= :since AND d.namespace < :until))
  AND (:key IS NULL OR d.key = :key)
