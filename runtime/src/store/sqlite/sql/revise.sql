-- Run by the writer for `revise`.
-- Promise: revisions are numbered without gaps, and issued while the operation can be confirmed.
UPDATE operations
SET revision = ?2, expires_at = ?3
WHERE key = ?1 AND state = 'proposed' AND revision = ?2 - 1 AND expires_at >= ?4
