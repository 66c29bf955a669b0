-- Run by the writer for `finish`.
-- Promise: an operation is settled from outside only while it is in progress.
UPDATE operations
SET state = ?3, result_summary = ?4, result_data = ?5, ended_at = ?6
WHERE operation_id = ?1 AND company = ?2 AND state = 'in_progress'
  AND ?7 = (SELECT count(*) FROM notes WHERE operation = operations.key AND kind = 'change')
RETURNING key
