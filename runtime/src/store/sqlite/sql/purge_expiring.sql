-- Run by the writer for `purge`, before the revisions are removed.
-- Promise: nothing on record about an operation outlives it.
DELETE FROM expiring
WHERE company = (SELECT company FROM operations WHERE key = ?1) AND operation = ?1
  AND expires_at IN (SELECT expires_at FROM revisions WHERE operation = ?1)
