-- Run for `begin_life`.
-- Promise: a life is on record before a claim names it, and one that has ended does not begin again.
WITH clock AS MATERIALIZED (
    SELECT pap.moment($1, $2) AS now, set_config('lock_timeout', $3, true)
), begun AS (
    INSERT INTO pap.lives AS l (life, begun_at, beat_at)
    SELECT $4::bytea, clock.now, clock.now FROM clock
    ON CONFLICT (life) DO UPDATE SET beat_at = greatest(l.beat_at, excluded.beat_at)
    WHERE l.ended_at IS NULL
    RETURNING l.life
)
SELECT clock.now, EXISTS (SELECT FROM begun) AS done, false AS replayed FROM clock
