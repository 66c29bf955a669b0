-- Run for `pause` after pausing.sql.
-- Promise: pausing what is paused keeps the first.
WITH clock AS MATERIALIZED (
    SELECT pap.moment($1, $2) AS now
), paused AS (
    INSERT INTO pap.pauses (company, what, action, since, who, why)
    SELECT $3::text, $4::text, $5::text, clock.now, $6::text, $7::text FROM clock
    ON CONFLICT (company, what, action) DO NOTHING
)
SELECT clock.now, true AS done, false AS replayed FROM clock
