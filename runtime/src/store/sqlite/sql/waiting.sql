-- Run by a reader for `waiting`; reads the whole list of open work, and no more.
-- Promise: what waits longest to be started comes first.
SELECT n.operation, o.action, r.schema_version
FROM running AS n
CROSS JOIN operations AS o ON o.key = n.operation
LEFT JOIN revisions AS r ON r.operation = o.key AND r.number = o.revision
WHERE n.company = ?1 AND n.life IS NULL
ORDER BY n.ask_after, n.operation
