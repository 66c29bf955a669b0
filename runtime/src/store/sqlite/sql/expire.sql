-- Run by the writer for `close_proposed`.
-- Promise: an operation expires only after the last moment at which it could be confirmed.
UPDATE operations
SET state = 'expired', result_summary = ?3, ended_at = ?4
WHERE operation_id = ?1 AND company = ?2 AND state = 'proposed' AND expires_at < ?4
RETURNING key
