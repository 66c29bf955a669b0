-- Run for `ask_later`.
-- Promise: only the performer says that nobody performs, only the latest asker answers a question, and
-- an operator has nobody asked about what somebody may still perform.
WITH clock AS MATERIALIZED (
    SELECT pap.moment($1, $2) AS now, set_config('lock_timeout', $3, true)
), later AS (
    UPDATE pap.running AS n
    SET performing = n.performing AND $7::text <> 'performer',
        ask_after = $9::bigint, due = coalesce($10::bigint, n.due), attention = $11::bool, died_asking = 0,
        asker = NULL
    FROM clock CROSS JOIN pap.operations AS o
    WHERE o.operation_id = $5::text AND o.company = $4::text AND n.operation = o.key
      AND CASE $7::text
          WHEN 'performer' THEN o.ticket = $6::bytea
          WHEN 'asker' THEN n.epoch = $8::int
          ELSE n.life IS NOT NULL AND (NOT n.performing OR NOT EXISTS (
              SELECT FROM pap.lives AS l WHERE l.life = n.life AND l.ended_at IS NULL)) END
    RETURNING n.operation
), told AS (
    INSERT INTO pap.events (operation, at, kind, detail)
    SELECT l.operation, clock.now, 'unsettled', $12::text FROM clock CROSS JOIN later AS l
)
SELECT clock.now, EXISTS (SELECT FROM later) AS done, false AS replayed FROM clock
