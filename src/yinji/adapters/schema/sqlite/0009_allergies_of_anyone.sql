-- What a context always shows has the allergies of everyone whom the user tells of: hard_facts in memories.sql repeats
-- the condition to use the index.

DROP INDEX memory_hard;
CREATE INDEX memory_hard ON memory (owner, importance, recorded_at) WHERE pinned OR layer = 'core'
  OR slot_attribute = 'allergy'
  OR (subject = 'user' AND (kind IN ('preference', 'procedure') OR slot_single OR importance >= 0.75));
