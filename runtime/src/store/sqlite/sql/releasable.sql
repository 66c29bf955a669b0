-- Run by the writer for `take_releases`; reads the whole list of what is to be released, and no more.
-- Promise: what waits longest to be told comes first.
SELECT n.operation, n.revision, o.action, r.schema_version
FROM releases AS n
CROSS JOIN operations AS o ON o.key = n.operation
LEFT JOIN revisions AS r ON r.operation = n.operation AND r.number = n.revision
WHERE n.company = ?1 AND n.try_after <= ?2
ORDER BY n.try_after, n.operation, n.revision
