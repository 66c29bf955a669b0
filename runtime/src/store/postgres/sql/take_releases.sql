-- Run for `take_releases`.
-- Promise: a release is counted before it is told, and nobody else tells it meanwhile.
WITH clock AS MATERIALIZED (
    SELECT pap.moment($1, $2) AS now, set_config('lock_timeout', $3, true)
), due AS MATERIALIZED (
    SELECT n.operation, n.revision, n.try_after
    FROM clock CROSS JOIN pap.releases AS n
    JOIN pap.operations AS o ON o.key = n.operation
    JOIN pap.revisions AS r ON r.operation = n.operation AND r.number = n.revision
    WHERE n.company = $4::text AND n.try_after <= clock.now
      AND (o.action, r.schema_version) IN (SELECT * FROM unnest($7::text[], $8::bigint[]))
    ORDER BY n.try_after, n.operation, n.revision LIMIT $5::bigint
    FOR UPDATE OF n SKIP LOCKED
), taken AS (
    UPDATE pap.releases AS n SET tries = n.tries + 1, try_after = clock.now + $6::bigint
    FROM clock CROSS JOIN due AS d
    WHERE n.operation = d.operation AND n.revision = d.revision
    RETURNING n.operation, n.revision, n.why, n.tries, d.try_after AS waited
)
SELECT clock.now, t.why, t.tries, r.number, r.schema_version, r.full_terms, r.wire_terms, r.summary,
       r.digest, r.user_approval_required, r.scopes, r.url, r.expires_at, r.issued_at, s.*
FROM clock CROSS JOIN taken AS t
JOIN pap.revisions AS r ON r.operation = t.operation AND r.number = t.revision
JOIN pap.stored AS s ON s.key = t.operation
ORDER BY t.waited, t.operation, t.revision
