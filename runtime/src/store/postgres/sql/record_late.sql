-- Run for `record_late`.
-- Promise: an outcome that came after the end is kept, and changes nothing; of what is blanked it leaves no word,
-- and what is being removed gets none. Whoever blanks and whoever removes wait for it, and it for them.
WITH clock AS MATERIALIZED (
    SELECT pap.moment($1, $2) AS now, set_config('lock_timeout', $3, true)
), told AS (
    INSERT INTO pap.events (operation, at, kind, detail)
    SELECT o.key, clock.now, 'late_outcome', CASE WHEN o.erased_at IS NULL THEN $6::text ELSE $7::text END
    FROM clock CROSS JOIN pap.operations AS o
    WHERE o.operation_id = $5::text AND o.company = $4::text
    FOR SHARE OF o
    RETURNING operation
)
SELECT clock.now, EXISTS (SELECT FROM told) AS done, false AS replayed FROM clock
