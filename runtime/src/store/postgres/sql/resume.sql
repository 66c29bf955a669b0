-- Run for `resume`.
-- Promise: a pause of all actions and one of a single action end separately; what ended is on record as somebody's act.
WITH clock AS MATERIALIZED (
    SELECT pap.moment($1, $2) AS now, set_config('lock_timeout', $3, true)
), resumed AS (
    DELETE FROM pap.pauses AS p
    WHERE p.company = $4::text AND p.what = $5::text AND p.action = $6::text
    RETURNING p.company, p.what, p.action
), acted AS MATERIALIZED (
    SELECT pap.acted(r.company, NULL, clock.now, 'resume', r.what, nullif(r.action, ''), $7::text, $8::text, 0) AS done
    FROM clock CROSS JOIN resumed AS r
)
SELECT clock.now, coalesce((SELECT bool_and(a.done) FROM acted AS a), false) AS done, false AS replayed FROM clock
