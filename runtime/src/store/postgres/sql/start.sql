-- Run for `start`.
-- Promise: the right to perform what waits to be started is spent once, and never after a stop was asked.
WITH clock AS MATERIALIZED (
    SELECT pap.moment($1, $2) AS now, set_config('lock_timeout', $3, true)
), fit AS MATERIALIZED (
    SELECT o.key
    FROM clock CROSS JOIN pap.operations AS o JOIN pap.running AS n ON n.operation = o.key
    WHERE o.operation_id = $5::text AND o.company = $4::text
      AND o.state = 'in_progress' AND o.ticket IS NULL
      AND n.life IS NULL AND n.epoch = 0 AND n.stop_requested IS NULL
    FOR UPDATE OF o, n
), started AS (
    UPDATE pap.operations AS o SET ticket = $6::bytea FROM fit WHERE o.key = fit.key RETURNING o.key
), listed AS (
    UPDATE pap.running AS n SET life = $7::bytea, performing = true, ask_after = clock.now
    FROM clock CROSS JOIN started AS s WHERE n.operation = s.key
), told AS (
    INSERT INTO pap.events (operation, at, kind, detail)
    SELECT s.key, clock.now, 'started', $8::text FROM clock CROSS JOIN started AS s
)
SELECT clock.now, EXISTS (SELECT FROM started) AS done, false AS replayed FROM clock
