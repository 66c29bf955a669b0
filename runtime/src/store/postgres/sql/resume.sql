-- Run for `resume`.
-- Promise: a pause of all actions and one of a single action end separately.
WITH clock AS MATERIALIZED (
    SELECT pap.moment($1, $2) AS now, set_config('lock_timeout', $3, true)
), resumed AS (
    DELETE FROM pap.pauses AS p
    WHERE p.company = $4::text AND p.what = $5::text AND p.action = $6::text
    RETURNING p.action
)
SELECT clock.now, EXISTS (SELECT FROM resumed) AS done, false AS replayed FROM clock
