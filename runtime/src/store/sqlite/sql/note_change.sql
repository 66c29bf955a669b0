-- Run by the writer for `write_note`.
-- Promise: only the performer notes a change, and only before the end.
INSERT INTO notes (operation, number, kind, value, at)
SELECT o.key, 1 + coalesce((SELECT max(number) FROM notes WHERE operation = o.key), 0), 'change', ?4, ?5
FROM operations AS o
WHERE o.operation_id = ?1 AND o.company = ?2 AND o.state = 'in_progress' AND o.ticket = ?3
RETURNING operation
