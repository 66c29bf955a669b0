-- Run by the writer for `finish`.
-- Promise: whoever holds the ticket ends its operation once, with every change on record told.
UPDATE operations
SET state = ?2, result_summary = ?3, result_data = ?4, ended_at = ?5, place = NULL
WHERE key = ?1 AND state = 'in_progress' AND ticket = ?7
  AND ?6 = (SELECT count(*) FROM notes WHERE operation = operations.key AND kind = 'change')
