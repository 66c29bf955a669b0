-- Run for `expire_due`; what somebody else is changing at this moment is left for the next time.
-- Promise: a moment that has passed is looked at once, and only a proposal that was not confirmed expires.
WITH clock AS MATERIALIZED (
    SELECT pap.moment($1, $2) AS now, set_config('lock_timeout', $3, true)
), due AS MATERIALIZED (
    SELECT e.company, e.expires_at, e.operation FROM clock CROSS JOIN pap.expiring AS e
    WHERE e.company = $4::text AND e.expires_at < clock.now
    ORDER BY e.expires_at, e.operation LIMIT $5::bigint
    FOR UPDATE OF e SKIP LOCKED
), fit AS MATERIALIZED (
    SELECT o.key FROM clock CROSS JOIN pap.operations AS o
    WHERE o.key IN (SELECT d.operation FROM due AS d)
      AND o.state = 'proposed' AND o.expires_at < clock.now
    ORDER BY o.key FOR UPDATE OF o
), expired AS (
    UPDATE pap.operations AS o SET state = 'expired', result_summary = $6::text, ended_at = clock.now
    FROM fit CROSS JOIN clock WHERE o.key = fit.key
    RETURNING o.key, o.revision, o.tells_release
), looked_at AS (
    DELETE FROM pap.expiring AS e USING due AS d
    WHERE e.company = d.company AND e.expires_at = d.expires_at AND e.operation = d.operation
), freed AS (
    DELETE FROM pap.open_actions AS a USING expired AS e WHERE a.operation = e.key
), let_go AS (
    INSERT INTO pap.releases (operation, revision, company, why, try_after)
    SELECT e.key, e.revision, $4::text, 'expired', clock.now FROM clock CROSS JOIN expired AS e
    WHERE e.tells_release
), told AS (
    INSERT INTO pap.events (operation, at, kind, detail)
    SELECT e.key, clock.now, 'ended', $7::text FROM clock CROSS JOIN expired AS e ORDER BY e.key
)
SELECT clock.now, (SELECT count(*) FROM expired) AS expired, (SELECT count(*) FROM due) AS looked_at
FROM clock
