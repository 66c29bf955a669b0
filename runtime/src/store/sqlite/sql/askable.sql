-- Run by a reader before `take_askable` writes; reads the whole list of open work, and no more.
-- Promise: nobody is asked about what somebody may still perform.
SELECT n.operation
FROM running AS n
WHERE n.company = ?1 AND n.ask_after <= ?2 AND n.died_asking < 3
  AND (n.performing = 0
       OR NOT EXISTS (SELECT 1 FROM lives AS l WHERE l.life = n.life AND l.ended_at IS NULL))
ORDER BY n.ask_after, n.operation
LIMIT ?3
