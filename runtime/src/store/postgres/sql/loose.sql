-- Run for `verify`.
-- Promise: a row about an operation that is not there is found.
SELECT t.name FROM (
    SELECT 'running' AS name, n.operation FROM pap.running AS n
    UNION ALL SELECT 'events', e.operation FROM pap.events AS e
    UNION ALL SELECT 'releases', r.operation FROM pap.releases AS r
) AS t LEFT JOIN pap.operations AS o ON o.key = t.operation
WHERE o.key IS NULL
