-- Run by the writer for `finish`.
-- Promise: the latest asker alone ends it, and by what is missing on record only where nothing was lost of it.
UPDATE operations
SET state = ?2, result_summary = ?3, result_data = ?4, ended_at = ?5, place = NULL
WHERE key = ?1 AND state = 'in_progress'
  AND ?6 = (SELECT count(*) FROM notes WHERE operation = operations.key AND kind = 'change')
  AND EXISTS (SELECT 1 FROM running AS n
              WHERE n.operation = operations.key AND n.epoch = ?7 AND (?8 IS NULL AND NOT ?9 OR n.from_copy = 0))
  AND NOT EXISTS (SELECT 1 FROM notes AS c
                  WHERE c.operation = operations.key AND c.name = ?8 AND c.kind = 'checkpoint')
