-- Run by the finishing lane for `finish`, for every finish that waits; operations in one order.
-- Promise: who may ends an operation once, every change on record told, behind no fence that was passed.
WITH clock AS MATERIALIZED (
    SELECT pap.moment($1, $2) AS now, set_config('lock_timeout', $3, true)
), wanted AS MATERIALIZED (
    SELECT * FROM unnest($4::text[], $5::text[], $6::text[], $7::bytea[], $8::int[], $9::text[],
        $10::text[], $11::text[], $12::text[], $13::int[], $14::text[]) WITH ORDINALITY
    AS w (company, operation_id, by, ticket, epoch, fence, state, summary, data, changes, detail, place)
), brought AS MATERIALIZED (
    SELECT * FROM unnest($15::bigint[], $16::text[], $17::text[]) WITH ORDINALITY
    AS b (place, change, detail, rank)
), fit AS MATERIALIZED (
    SELECT o.key, w.place, n.noted
    FROM clock CROSS JOIN wanted AS w
    JOIN pap.operations AS o ON o.operation_id = w.operation_id AND o.company = w.company
    JOIN pap.running AS n ON n.operation = o.key
    WHERE o.state = 'in_progress' AND n.changes = w.changes
      AND CASE w.by
          WHEN 'performer' THEN o.ticket = w.ticket
          WHEN 'not_started' THEN o.ticket IS NULL
          WHEN 'asker' THEN n.epoch = w.epoch AND NOT (w.fence IS NOT NULL AND n.from_copy) AND NOT EXISTS (
              SELECT FROM pap.notes AS c
              WHERE c.operation = o.key AND c.name = w.fence AND c.kind = 'checkpoint')
          WHEN 'asker_in_part' THEN n.epoch = w.epoch AND NOT n.from_copy
          ELSE w.by = 'settler' END
    ORDER BY o.key
    FOR UPDATE OF o, n
), ended AS (
    UPDATE pap.operations AS o
    SET state = w.state, result_summary = w.summary, result_data = w.data, ended_at = clock.now
    FROM fit CROSS JOIN clock JOIN wanted AS w ON w.place = fit.place
    WHERE o.key = fit.key
    RETURNING o.key, w.place
), unlisted AS (
    DELETE FROM pap.running AS n USING ended AS e WHERE n.operation = e.key
), freed AS (
    DELETE FROM pap.open_actions AS a USING ended AS e WHERE a.operation = e.key
), noted AS (
    INSERT INTO pap.notes (operation, number, kind, value, at)
    SELECT f.key, f.noted + row_number() OVER (PARTITION BY f.key ORDER BY b.rank), 'change', b.change,
           clock.now
    FROM fit AS f CROSS JOIN clock JOIN brought AS b ON b.place = f.place
), told AS (
    INSERT INTO pap.events (operation, at, kind, detail)
    SELECT t.key, clock.now, t.kind, t.detail FROM clock CROSS JOIN (
        SELECT e.key, b.rank, 'change_noted' AS kind, b.detail
        FROM ended AS e JOIN brought AS b ON b.place = e.place
        UNION ALL
        SELECT e.key, NULL, 'ended', w.detail FROM ended AS e JOIN wanted AS w ON w.place = e.place
    ) AS t ORDER BY t.key, t.rank NULLS LAST
)
SELECT clock.now, e.key IS NOT NULL AS ended
FROM clock CROSS JOIN wanted AS w LEFT JOIN ended AS e ON e.place = w.place ORDER BY w.place
