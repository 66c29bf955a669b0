-- Run by the writer for `purge`, by a reader for `count`; looks at a bounded number of operations.
-- Promise: only what has ended before the moment is removed, and nothing that is still to be released.
SELECT o.key,
       o.ended_at IS NOT NULL AND o.ended_at < ?4
       AND NOT EXISTS (SELECT 1 FROM releases AS r WHERE r.operation = o.key),
       o.ended_at IS NULL OR EXISTS (SELECT 1 FROM releases AS r WHERE r.operation = o.key)
FROM operations AS o
WHERE o.company = ?1 AND o.action = ?2 AND o.key > ?3
ORDER BY o.key
LIMIT ?5
