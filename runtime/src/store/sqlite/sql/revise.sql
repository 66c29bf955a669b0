-- Run by the writer for `revise`.
-- Promise: revisions are numbered without gaps, and issued while the operation can be confirmed.
UPDATE operations
SET revision = ?3, expires_at = ?4
WHERE operation_id = ?1 AND company = ?2 AND state = 'proposed' AND revision = ?3 - 1
  AND expires_at >= ?5
RETURNING key
