-- Run for `end_release`.
-- Promise: what was told is not told again, and what could not be told is.
WITH clock AS MATERIALIZED (
    SELECT pap.moment($1, $2) AS now, set_config('lock_timeout', $3, true)
), told AS (
    DELETE FROM pap.releases AS n USING pap.operations AS o
    WHERE o.operation_id = $5::text AND o.company = $4::text AND n.operation = o.key
      AND n.revision = $6::int AND $7::bigint IS NULL
    RETURNING n.operation
), again AS (
    UPDATE pap.releases AS n SET try_after = $7::bigint FROM pap.operations AS o
    WHERE o.operation_id = $5::text AND o.company = $4::text AND n.operation = o.key
      AND n.revision = $6::int AND $7::bigint IS NOT NULL
), on_record AS (
    INSERT INTO pap.events (operation, at, kind, detail)
    SELECT t.operation, clock.now, 'released', $8::text FROM clock CROSS JOIN told AS t
)
SELECT clock.now, true AS done, false AS replayed FROM clock
