-- Run by the writer for `write_note`.
-- Promise: only the performer notes a change, and only before the end.
INSERT INTO notes (operation, number, kind, value, at)
SELECT key, ?2, 'change', ?4, ?5 FROM operations
WHERE key = ?1 AND state = 'in_progress' AND ticket = ?3
