-- Run by the writer for `write_note`.
-- Promise: once recovery has asked, a checkpoint that was not written can never be written.
INSERT INTO notes (operation, number, kind, name, value, at)
SELECT o.key, ?2, 'checkpoint', ?4, ?5, ?6
FROM operations AS o JOIN running AS n ON n.operation = o.key
WHERE o.key = ?1 AND o.state = 'in_progress' AND o.ticket = ?3 AND n.epoch = 0
ON CONFLICT (operation, name) WHERE kind = 'checkpoint' DO NOTHING
