-- A token may hold for a time only. Those from before hold until they are revoked.

ALTER TABLE token ADD COLUMN until INTEGER;
ALTER TABLE token ADD COLUMN until_zone TEXT;
