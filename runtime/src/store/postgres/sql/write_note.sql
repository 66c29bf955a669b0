-- Run for `write_note`.
-- Promise: only the performer notes, before the end; once recovery has asked, no new checkpoint is written.
WITH clock AS MATERIALIZED (
    SELECT pap.moment($1, $2) AS now, set_config('lock_timeout', $3, true)
), counted AS (
    UPDATE pap.running AS n
    SET noted = n.noted + 1, changes = n.changes + CASE WHEN $7::text = 'change' THEN 1 ELSE 0 END
    FROM clock CROSS JOIN pap.operations AS o
    WHERE o.operation_id = $5::text AND o.company = $4::text AND o.ticket = $6::bytea
      AND n.operation = o.key
      AND ($7::text = 'change' OR (n.epoch = 0 AND NOT EXISTS (
          SELECT FROM pap.notes AS c
          WHERE c.operation = o.key AND c.name = $8::text AND c.kind = 'checkpoint')))
    RETURNING n.operation, n.noted
), noted AS (
    INSERT INTO pap.notes (operation, number, kind, name, value, at)
    SELECT c.operation, c.noted, $7::text, $8::text, $9::text, clock.now
    FROM clock CROSS JOIN counted AS c
), told AS (
    INSERT INTO pap.events (operation, at, kind, detail)
    SELECT c.operation, clock.now, $10::text, $11::text FROM clock CROSS JOIN counted AS c
)
SELECT clock.now, EXISTS (SELECT FROM counted) AS done, false AS replayed FROM clock
