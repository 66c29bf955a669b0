-- Run for `record_late`.
-- Promise: an outcome that came after the end is kept, and changes nothing; what is being removed gets none.
WITH clock AS MATERIALIZED (
    SELECT pap.moment($1, $2) AS now, set_config('lock_timeout', $3, true)
), told AS (
    INSERT INTO pap.events (operation, at, kind, detail)
    SELECT o.key, clock.now, 'late_outcome', $6::text FROM clock CROSS JOIN pap.operations AS o
    WHERE o.operation_id = $5::text AND o.company = $4::text
    FOR KEY SHARE OF o
    RETURNING operation
)
SELECT clock.now, EXISTS (SELECT FROM told) AS done, false AS replayed FROM clock
