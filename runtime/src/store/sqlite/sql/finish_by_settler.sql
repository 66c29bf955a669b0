-- Run by the writer for `finish`.
-- Promise: an operation is settled from outside only while it is in progress.
UPDATE operations
SET state = ?2, result_summary = ?3, result_data = ?4, ended_at = ?5, place = NULL
WHERE key = ?1 AND state = 'in_progress'
  AND ?6 = (SELECT count(*) FROM notes WHERE operation = operations.key AND kind = 'change')
