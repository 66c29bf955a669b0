-- Run by the writer for `purge`, and when a copy of the file is taken into use.
-- Promise: the place of an event that is gone is not given to another.
INSERT INTO events (sequence, operation, at, kind, detail)
SELECT ?1, NULL, ?2, 'gap', '{}' WHERE NOT EXISTS (SELECT 1 FROM events WHERE sequence >= ?1)
