-- Run by the writer for `finish`.
-- Promise: what nobody has started ends, and can never be started after that.
UPDATE operations
SET state = ?2, result_summary = ?3, result_data = ?4, ended_at = ?5
WHERE key = ?1 AND state = 'in_progress' AND ticket IS NULL
  AND ?6 = (SELECT count(*) FROM notes WHERE operation = operations.key AND kind = 'change')
