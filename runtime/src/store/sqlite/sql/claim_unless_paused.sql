-- Run by the writer for `claim` while anything is paused.
-- Promise: as claim.sql, and nothing moves whose claims are paused.
UPDATE operations
SET state = 'in_progress', ticket = ?4, confirmed_at = ?3, approved_by = ?5, confirmed_client = ?6,
    confirmed_key = ?7, confirmed_session = ?8, confirmed_account = ?9, confirmed_digest = ?10
WHERE key = ?1 AND state = 'proposed' AND revision = ?2 AND expires_at >= ?3
  AND EXISTS (SELECT 1 FROM revisions AS r WHERE r.operation = ?1 AND r.number = ?2 AND r.digest = ?10)
  AND NOT EXISTS (SELECT 1 FROM pauses AS p
                  WHERE p.company = operations.company AND p.what = 'claims'
                    AND (p.action = '' OR p.action = operations.action))
