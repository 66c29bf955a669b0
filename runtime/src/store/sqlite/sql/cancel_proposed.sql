-- Run by the writer for `close_proposed`.
-- Promise: what was cancelled before it was confirmed can never be claimed.
UPDATE operations
SET state = 'cancelled', result_summary = ?3, ended_at = ?4
WHERE operation_id = ?1 AND company = ?2 AND state = 'proposed'
RETURNING key
