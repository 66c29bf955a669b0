-- Run for `request_stop`.
-- Promise: the first request to stop stands, and asking again is answered like the first time.
WITH clock AS MATERIALIZED (
    SELECT pap.moment($1, $2) AS now, set_config('lock_timeout', $3, true)
), used AS (
    INSERT INTO pap.replay AS r (proof, ticket, until)
    SELECT $6::bytea, $7::bytea, $8::bigint FROM clock WHERE $6::bytea IS NOT NULL
    ON CONFLICT (proof) DO UPDATE SET ticket = excluded.ticket WHERE r.ticket = excluded.ticket
    RETURNING r.until
), accepted AS MATERIALIZED (
    SELECT FROM used AS u WHERE u.until > pap.forgotten_until((SELECT count(*) FROM used))
), found AS MATERIALIZED (
    SELECT n.operation, n.stop_requested
    FROM pap.operations AS o JOIN pap.running AS n ON n.operation = o.key
    WHERE o.operation_id = $5::text AND o.company = $4::text
      AND ($6::bytea IS NULL OR EXISTS (SELECT FROM accepted))
    FOR UPDATE OF n
), stopped AS (
    UPDATE pap.running AS n SET stop_requested = clock.now
    FROM found AS f CROSS JOIN clock
    WHERE n.operation = f.operation AND f.stop_requested IS NULL
    RETURNING n.operation
), told AS (
    INSERT INTO pap.events (operation, at, kind, detail)
    SELECT s.operation, clock.now, 'stop_requested', $9::text FROM clock CROSS JOIN stopped AS s
)
SELECT coalesce((SELECT f.stop_requested FROM found AS f), clock.now) AS at,
       EXISTS (SELECT FROM found) AS done,
       $6::bytea IS NOT NULL AND NOT EXISTS (SELECT FROM accepted) AS replayed
FROM clock
