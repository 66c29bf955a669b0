-- Run by a reader for `waiting`; reads the whole list of open work, and no more.
-- Promise: what waits longest to be started comes first.
SELECT operation FROM running AS n
WHERE n.company = ?1 AND n.life IS NULL
ORDER BY n.ask_after, n.operation
LIMIT ?2
