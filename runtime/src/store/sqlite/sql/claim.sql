-- Run by the writer for `claim`.
-- Promise: at most one row moves from proposed to in_progress, under one ticket, for its latest revision.
UPDATE operations
SET state = 'in_progress', ticket = ?5, confirmed_at = ?4, approved_by = ?6, confirmed_client = ?7,
    confirmed_key = ?8, confirmed_session = ?9, confirmed_account = ?10, confirmed_digest = ?11
WHERE operation_id = ?1 AND company = ?2 AND state = 'proposed' AND revision = ?3
  AND expires_at >= ?4
RETURNING key
