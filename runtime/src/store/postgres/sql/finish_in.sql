-- Run for `finish_in`, in the transaction of the company's.
-- Promise: as finish.sql, and nothing of it is there unless the company commits.
WITH clock AS MATERIALIZED (
    SELECT pap.moment(nullif($1, -1), $2) AS now
), fit AS MATERIALIZED (
    SELECT o.key, n.noted
    FROM clock CROSS JOIN pap.operations AS o JOIN pap.running AS n ON n.operation = o.key
    WHERE o.company = $3::text AND o.operation_id = $4::text
      AND o.state = 'in_progress' AND n.changes = $8::bigint
      AND CASE $5::text
          WHEN 'performer' THEN o.ticket = $6::bytea
          WHEN 'not_started' THEN o.ticket IS NULL
          WHEN 'asker' THEN n.epoch = $7::bigint AND NOT ($9::text IS NOT NULL AND n.from_copy)
              AND NOT EXISTS (SELECT FROM pap.notes AS c
                              WHERE c.operation = o.key AND c.name = $9::text AND c.kind = 'checkpoint')
          WHEN 'asker_in_part' THEN n.epoch = $7::bigint AND NOT n.from_copy
          ELSE $5::text = 'settler' END
    -- no more of the operation than its update takes: a note that has its running row refers to its key
    FOR NO KEY UPDATE OF o FOR UPDATE OF n
), ended AS (
    UPDATE pap.operations AS o
    SET state = $10::text, result_summary = $11::text, result_data = $12::text, ended_at = clock.now
    FROM fit CROSS JOIN clock WHERE o.key = fit.key
    RETURNING o.key
), unlisted AS (
    DELETE FROM pap.running AS n USING ended AS e WHERE n.operation = e.key
), freed AS (
    DELETE FROM pap.open_actions AS a USING ended AS e WHERE a.operation = e.key
), brought AS MATERIALIZED (
    SELECT f.key, b.change, b.rank, f.noted + b.rank AS number
    FROM fit AS f CROSS JOIN unnest($13::text[]) WITH ORDINALITY AS b (change, rank)
), noted AS (
    INSERT INTO pap.notes (operation, number, kind, value, at)
    SELECT b.key, b.number, 'change', b.change, clock.now FROM clock CROSS JOIN brought AS b
), told AS (
    INSERT INTO pap.events (operation, at, kind, detail)
    SELECT t.key, clock.now, t.kind, t.detail FROM clock CROSS JOIN (
        SELECT b.key, b.rank, 'change_noted' AS kind, $14::text AS detail FROM brought AS b
        UNION ALL SELECT e.key, NULL, 'ended', $15::text FROM ended AS e
    ) AS t ORDER BY t.rank NULLS LAST
)
SELECT clock.now FROM clock CROSS JOIN ended
