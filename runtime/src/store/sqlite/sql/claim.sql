-- Run by the writer for `claim` while nothing is paused.
-- Promise: at most one row moves from proposed to in_progress, under one ticket in the words of its latest revision.
UPDATE operations
SET state = 'in_progress', ticket = ?4, confirmed_at = ?3, approved_by = ?5, confirmed_client = ?6,
    confirmed_key = ?7, confirmed_session = ?8, confirmed_account = ?9, confirmed_digest = ?10
WHERE key = ?1 AND state = 'proposed' AND revision = ?2 AND expires_at >= ?3
  AND EXISTS (SELECT 1 FROM revisions AS r WHERE r.operation = ?1 AND r.number = ?2 AND r.digest = ?10)
