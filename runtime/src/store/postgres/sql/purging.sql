-- Run for `purge` before purge.sql, in its transaction; the locks end with it.
-- Promise: whoever writes about what goes has written, or finds it gone, by the time purge.sql looks.
WITH looked_at AS MATERIALIZED (
    SELECT o.key, o.ended_at IS NOT NULL AND o.ended_at < $6::bigint AS over
    FROM pap.operations AS o
    WHERE o.company = $2::text AND o.action = $3::text AND o.key > $4::bigint
    ORDER BY o.key LIMIT $5::bigint
)
SELECT o.key, set_config('lock_timeout', $1, true)
FROM pap.operations AS o JOIN looked_at AS l ON l.key = o.key
WHERE l.over ORDER BY o.key FOR UPDATE OF o
