-- Run by the writer for `finish`.
-- Promise: the latest asker alone ends it, and behind a fence only while its checkpoint is not on record.
UPDATE operations
SET state = ?3, result_summary = ?4, result_data = ?5, ended_at = ?6
WHERE operation_id = ?1 AND company = ?2 AND state = 'in_progress'
  AND ?7 = (SELECT count(*) FROM notes WHERE operation = operations.key AND kind = 'change')
  AND ?8 = (SELECT epoch FROM running WHERE operation = operations.key)
  AND NOT EXISTS (SELECT 1 FROM notes AS c
                  WHERE c.operation = operations.key AND c.name = ?9 AND c.kind = 'checkpoint')
RETURNING key
