-- Run by the writer for `expire_due`.
-- Promise: what has been due longest comes first.
SELECT operation, expires_at FROM expiring
WHERE company = ?1 AND expires_at < ?2
ORDER BY expires_at, operation
LIMIT ?3
