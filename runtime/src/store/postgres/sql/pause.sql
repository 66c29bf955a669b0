-- Run for `pause` after pausing.sql.
-- Promise: pausing what is paused keeps the first; what was paused is on record as somebody's act.
WITH clock AS MATERIALIZED (
    SELECT pap.moment($1, $2) AS now
), paused AS (
    INSERT INTO pap.pauses (company, what, action, since, who, why)
    SELECT $3::text, $4::text, $5::text, clock.now, $6::text, $7::text FROM clock
    ON CONFLICT (company, what, action) DO NOTHING
    RETURNING company, what, action, since, who, why
), acted AS MATERIALIZED (
    SELECT pap.acted(p.company, NULL, p.since, 'pause', p.what, nullif(p.action, ''), p.who, p.why, 0) AS done
    FROM paused AS p
)
SELECT clock.now, coalesce((SELECT bool_and(a.done) FROM acted AS a), true) AS done, false AS replayed FROM clock
