-- Run for `close_proposed`.
-- Promise: what was cancelled cannot be claimed; what expires was past the last moment to confirm it.
WITH clock AS MATERIALIZED (
    SELECT pap.moment($1, $2) AS now, set_config('lock_timeout', $3, true)
), used AS (
    INSERT INTO pap.replay AS r (proof, ticket, until)
    SELECT $6::bytea, $7::bytea, $8::bigint FROM clock WHERE $6::bytea IS NOT NULL
    ON CONFLICT (proof) DO UPDATE SET ticket = excluded.ticket WHERE r.ticket = excluded.ticket
    RETURNING r.until
), accepted AS MATERIALIZED (
    SELECT FROM used AS u WHERE u.until > pap.forgotten_until((SELECT count(*) FROM used))
), closed AS (
    UPDATE pap.operations AS o
    SET state = $9::text, result_summary = $10::text, ended_at = clock.now
    FROM clock
    WHERE o.operation_id = $5::text AND o.company = $4::text AND o.state = 'proposed'
      AND ($9::text = 'cancelled' OR o.expires_at < clock.now)
      AND ($6::bytea IS NULL OR EXISTS (SELECT FROM accepted))
    RETURNING o.key, o.revision, o.tells_release
), freed AS (
    DELETE FROM pap.open_actions AS a USING closed AS c WHERE a.operation = c.key
), let_go AS (
    INSERT INTO pap.releases (operation, revision, company, why, try_after)
    SELECT c.key, c.revision, $4::text, $9::text, clock.now FROM clock CROSS JOIN closed AS c
    WHERE c.tells_release
), told AS (
    INSERT INTO pap.events (operation, at, kind, detail)
    SELECT c.key, clock.now, 'ended', $11::text FROM clock CROSS JOIN closed AS c
)
SELECT clock.now, EXISTS (SELECT FROM closed) AS done,
       $6::bytea IS NOT NULL AND NOT EXISTS (SELECT FROM accepted) AS replayed
FROM clock
