-- Run for `count` before a purge, a bounded number of operations at a time.
-- Promise: what is counted is what purge.sql would remove.
WITH looked_at AS MATERIALIZED (
    SELECT o.key, o.ended_at, o.ended_at IS NOT NULL AND NOT EXISTS (
        SELECT FROM pap.releases AS n WHERE n.operation = o.key) AS over
    FROM pap.operations AS o
    WHERE o.company = $1::text AND o.action = $2::text AND o.key > $3::bigint
    ORDER BY o.key LIMIT $4::bigint
)
SELECT count(*) FILTER (WHERE l.over AND l.ended_at < $5::bigint) AS would, count(*) FILTER (WHERE NOT l.over) AS open,
       count(*) AS looked_at, max(l.key) AS last
FROM looked_at AS l
