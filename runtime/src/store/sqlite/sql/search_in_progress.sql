-- Run by a reader for `search`; reads the whole list of open work at most.
-- Promise: what is in progress is found without reading what has ended.
SELECT f.* FROM running AS n CROSS JOIN findable AS f ON f.key = n.operation
WHERE n.company = ?1 AND n.operation > ?2
ORDER BY n.operation
LIMIT ?3
