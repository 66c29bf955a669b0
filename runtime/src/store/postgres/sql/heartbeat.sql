-- Run for `heartbeat`; what somebody else is changing at this moment is left for the next beat.
-- Promise: a life without a sign for longer than it said is ended once, and its questions wait for no lease.
-- Tells how the server's clock is set, too: that can be before a moment that this process has seen.
WITH clock AS MATERIALIZED (
    SELECT pap.moment($1, $2) AS now, set_config('lock_timeout', $3, true)
), beat AS (
    UPDATE pap.lives AS l SET beat_at = greatest(l.beat_at, clock.now), dead_after = $5::bigint FROM clock
    WHERE l.life = $4::bytea AND l.ended_at IS NULL
    RETURNING l.life
), silent AS MATERIALIZED (
    SELECT l.life FROM clock CROSS JOIN pap.lives AS l
    WHERE l.ended_at IS NULL AND l.life <> $4::bytea
      AND l.beat_at < clock.now - coalesce(l.dead_after, $5::bigint)
    FOR UPDATE OF l SKIP LOCKED
), ended AS (
    UPDATE pap.lives AS l SET ended_at = clock.now FROM clock CROSS JOIN silent AS s
    WHERE l.life = s.life
), left_open AS MATERIALIZED (
    SELECT n.operation FROM clock CROSS JOIN pap.running AS n JOIN silent AS s ON s.life = n.asker
    WHERE n.died_asking > 0 AND n.ask_after > clock.now
    FOR UPDATE OF n SKIP LOCKED
), asked_soon AS (
    UPDATE pap.running AS n SET ask_after = clock.now FROM clock CROSS JOIN left_open AS o
    WHERE n.operation = o.operation
)
SELECT clock.now, EXISTS (SELECT FROM beat) AS done, false AS replayed,
       pg_current_xact_id_if_assigned()::text::bigint AS number, pap.moment(NULL, 0) AS set
FROM clock
