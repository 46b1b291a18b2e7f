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
-- Documents of a shelf ({where}) in the order of their last change ({order}).
SELECT d.row, d.collection, d.namespace, d.key, d.value, d.fields, d.created_at, d.updated_at FROM document d
WHERE d.owner = :owner AND d.collection = :collection AND {where}
ORDER BY d.row {order} LIMIT :limit OFFSET :offset

-- name: exactly
-- Of that namespace.
d.namespace = :namespace

-- name: below
-- Of that namespace, and of those that begin with it.
(d.namespace = :namespace OR d.namespace >= :since AND d.namespace < :until)

-- name: named
-- Of that key.
d.key = :key

-- name: pending
-- That wait for their vectors.
NOT d.embedded

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
-- What the documents of a shelf ({where}) are found by.
SELECT d.row, v.scale, v.data FROM document d JOIN document_vector v ON v.document = d.row
WHERE d.owner = :owner AND d.collection = :collection AND v.model = :model AND {where}
