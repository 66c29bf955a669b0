-- Run for `purge`, a bounded number of operations at a time.
-- Promise: an operation that has ended and has nothing to release goes whole, and its id with nobody.
WITH looked_at AS MATERIALIZED (
    SELECT o.key, o.ended_at IS NOT NULL AND o.ended_at < $6::bigint AND NOT EXISTS (
        SELECT FROM pap.releases AS n WHERE n.operation = o.key) AS over
    FROM pap.operations AS o
    WHERE o.company = $2::text AND o.action = $3::text AND o.key > $4::bigint
    ORDER BY o.key LIMIT $5::bigint
), fit AS MATERIALIZED (
    SELECT o.key, o.company, o.operation_id, set_config('lock_timeout', $1, true)
    FROM pap.operations AS o JOIN looked_at AS l ON l.key = o.key
    WHERE l.over ORDER BY o.key FOR UPDATE OF o
), kept AS (
    INSERT INTO pap.purged (company, operation_id) SELECT f.company, f.operation_id FROM fit AS f
), no_moments AS (
    DELETE FROM pap.expiring AS e USING fit AS f, pap.revisions AS r
    WHERE r.operation = f.key AND e.company = f.company AND e.expires_at = r.expires_at
      AND e.operation = f.key
), no_revisions AS (
    DELETE FROM pap.revisions AS r USING fit AS f WHERE r.operation = f.key
), no_notes AS (
    DELETE FROM pap.notes AS n USING fit AS f WHERE n.operation = f.key
), no_events AS (
    DELETE FROM pap.events AS e USING fit AS f WHERE e.operation = f.key
), gone AS (
    DELETE FROM pap.operations AS o USING fit AS f WHERE o.key = f.key RETURNING o.key
)
SELECT (SELECT count(*) FROM gone) AS removed, (SELECT count(*) FROM looked_at) AS looked_at,
       (SELECT max(l.key) FROM looked_at AS l) AS last
