-- Run by the writer for `write_note`.
-- Promise: once recovery has asked, a checkpoint that was not written can never be written.
INSERT INTO notes (operation, number, kind, name, value, at)
SELECT o.key, 1 + coalesce((SELECT max(number) FROM notes WHERE operation = o.key), 0), 'checkpoint',
       ?4, ?5, ?6
FROM operations AS o JOIN running AS n ON n.operation = o.key
WHERE o.operation_id = ?1 AND o.company = ?2 AND o.state = 'in_progress' AND o.ticket = ?3
  AND n.epoch = 0
  AND NOT EXISTS (SELECT 1 FROM notes AS c
                  WHERE c.operation = o.key AND c.name = ?4 AND c.kind = 'checkpoint')
RETURNING operation
