-- Run by a reader before `take_askable` writes; reads the whole list of open work, and no more.
-- Promise: no question about what may still be performed or started; what may have killed (?3) one at a time.
SELECT n.operation, o.action, r.schema_version
FROM running AS n
CROSS JOIN operations AS o ON o.key = n.operation
LEFT JOIN revisions AS r ON r.operation = o.key AND r.number = o.revision
WHERE n.company = ?1 AND n.ask_after <= ?2 AND n.died_asking < 3 AND n.life IS NOT NULL
  AND (n.died_asking > 0) = ?3
  AND (?3 = 0 OR NOT EXISTS (SELECT 1 FROM running
                             WHERE running.company = ?1 AND running.died_asking > 1
                               AND running.ask_after > ?2))
  AND (n.performing = 0
       OR NOT EXISTS (SELECT 1 FROM lives AS l WHERE l.life = n.life AND l.ended_at IS NULL))
ORDER BY n.ask_after, n.operation
