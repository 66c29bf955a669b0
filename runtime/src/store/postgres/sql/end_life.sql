-- Run for `end_life`.
-- Promise: what an ended life held can be asked about.
WITH clock AS MATERIALIZED (
    SELECT pap.moment($1, $2) AS now, set_config('lock_timeout', $3, true)
), ended AS (
    UPDATE pap.lives AS l SET ended_at = clock.now FROM clock
    WHERE l.life = $4::bytea AND l.ended_at IS NULL
)
SELECT clock.now, true AS done, false AS replayed FROM clock
