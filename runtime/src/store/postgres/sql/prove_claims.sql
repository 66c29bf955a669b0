-- Run by the confirming lane, on another connection, for claims whose acknowledgement was lost.
-- Promise: what this finds is durable once its own commit is acknowledged; seeing a ticket alone is not.
WITH clock AS MATERIALIZED (
    SELECT set_config('lock_timeout', $1, true)
), wanted AS MATERIALIZED (
    SELECT * FROM unnest($2::text[], $3::text[], $4::bytea[]) WITH ORDINALITY
    AS w (company, operation_id, ticket, place)
), ours AS MATERIALIZED (
    SELECT n.operation, w.place, o.confirmed_at
    FROM clock CROSS JOIN wanted AS w
    JOIN pap.operations AS o ON o.operation_id = w.operation_id AND o.company = w.company
    JOIN pap.running AS n ON n.operation = o.key
    WHERE o.state = 'in_progress' AND o.ticket = w.ticket AND n.performing AND n.epoch = 0
    ORDER BY n.operation
    FOR UPDATE OF n
), proved AS (
    UPDATE pap.running AS n SET epoch = 0 FROM ours WHERE n.operation = ours.operation
    RETURNING ours.place, ours.confirmed_at
)
SELECT place, confirmed_at FROM proved
