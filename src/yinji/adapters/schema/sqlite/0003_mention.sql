-- Which memories name whom or what: the graph, walked from name to memory to name.
-- Names are in their folded form (language.names), as they are looked up.

CREATE TABLE mention (
  memory INTEGER NOT NULL REFERENCES memory(row) ON DELETE CASCADE,
  name TEXT NOT NULL,
  owner INTEGER NOT NULL REFERENCES owner(id),
  PRIMARY KEY (memory, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX mention_name ON mention (owner, name);

-- What is there already; forms that SQL cannot fold (full width, traditional characters) come with their next mention.
INSERT OR IGNORE INTO mention (memory, name, owner)
SELECT m.row, lower(replace(json_extract(e.value, '$[0]'), ' ', '')), m.owner
FROM memory m, json_each(m.entities) e
WHERE json_extract(e.value, '$[1]') NOT IN ('amount', 'date') AND length(json_extract(e.value, '$[0]')) > 1;
INSERT OR IGNORE INTO mention (memory, name, owner)
SELECT row, lower(replace(slot_value, ' ', '')), owner FROM memory WHERE length(slot_value) BETWEEN 2 AND 40;
INSERT OR IGNORE INTO mention (memory, name, owner)
SELECT row, lower(replace(subject, ' ', '')), owner FROM memory WHERE subject <> 'user' AND length(subject) BETWEEN 2 AND 40;
