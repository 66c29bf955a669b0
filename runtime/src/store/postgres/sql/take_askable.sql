-- Run for `take_askable`; reads the whole list of open work of a company, and no more.
-- Promise: nobody is asked about what somebody may perform; the epoch is raised before anybody asks; of those
-- that a process may have died of one is asked about at a time, so that it takes no other with it.
WITH clock AS MATERIALIZED (
    SELECT pap.moment($1, $2) AS now, set_config('lock_timeout', $3, true)
), suspect AS MATERIALIZED (
    SELECT n.operation
    FROM clock CROSS JOIN pap.running AS n
    JOIN pap.operations AS o ON o.key = n.operation
    JOIN pap.revisions AS r ON r.operation = o.key AND r.number = o.revision
    WHERE n.company = $4::text AND n.ask_after <= clock.now AND n.died_asking IN (1, 2)
      AND n.life IS NOT NULL
      AND (o.action, r.schema_version) IN (SELECT * FROM unnest($7::text[], $8::bigint[]))
      AND (NOT n.performing
           OR NOT EXISTS (SELECT FROM pap.lives AS l WHERE l.life = n.life AND l.ended_at IS NULL))
      AND NOT EXISTS (SELECT FROM pap.running AS b WHERE b.company = $4::text
                      AND b.died_asking > 1 AND b.ask_after > clock.now)
    ORDER BY n.ask_after, n.operation
    LIMIT 1
), found AS MATERIALIZED (
    SELECT n.operation, n.ask_after
    FROM clock CROSS JOIN pap.running AS n
    JOIN pap.operations AS o ON o.key = n.operation
    JOIN pap.revisions AS r ON r.operation = o.key AND r.number = o.revision
    WHERE n.company = $4::text AND n.ask_after <= clock.now
      AND (n.died_asking = 0 OR n.operation IN (SELECT s.operation FROM suspect AS s))
      AND n.life IS NOT NULL
      AND (o.action, r.schema_version) IN (SELECT * FROM unnest($7::text[], $8::bigint[]))
      AND (NOT n.performing
           OR NOT EXISTS (SELECT FROM pap.lives AS l WHERE l.life = n.life AND l.ended_at IS NULL))
    ORDER BY n.ask_after, n.operation
    LIMIT $5::bigint
    FOR UPDATE OF n SKIP LOCKED
), raised AS (
    UPDATE pap.running AS n
    SET epoch = n.epoch + 1, asks = n.asks + 1, died_asking = n.died_asking + 1,
        asker = $9::bytea, ask_after = clock.now + $6::bigint, attention = n.attention OR n.died_asking + 1 >= 3
    FROM found AS f CROSS JOIN clock
    WHERE n.operation = f.operation
    RETURNING n.operation, n.epoch, n.asks, n.died_asking, f.ask_after AS waited
), told AS (
    INSERT INTO pap.events (operation, at, kind, detail)
    SELECT r.operation, clock.now, 'asked',
           '{"epoch":' || r.epoch || ',"asks":' || r.asks || ',"died_asking":' || r.died_asking || '}'
    FROM clock CROSS JOIN raised AS r ORDER BY r.operation
)
SELECT clock.now, r.operation, r.epoch FROM clock CROSS JOIN raised AS r ORDER BY r.waited, r.operation
