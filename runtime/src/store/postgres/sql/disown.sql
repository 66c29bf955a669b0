-- Run by the confirming lane for claims whose answer reached nobody.
-- Promise: what nobody may perform can be asked about at once.
WITH clock AS MATERIALIZED (
    SELECT pap.moment($1, $2) AS now, set_config('lock_timeout', $3, true)
), wanted AS MATERIALIZED (
    SELECT * FROM unnest($4::text[], $5::text[], $6::bytea[]) WITH ORDINALITY
    AS w (company, operation_id, ticket, place)
), ours AS MATERIALIZED (
    SELECT n.operation
    FROM clock CROSS JOIN wanted AS w
    JOIN pap.operations AS o ON o.operation_id = w.operation_id AND o.company = w.company
    JOIN pap.running AS n ON n.operation = o.key
    WHERE o.ticket = w.ticket
    ORDER BY n.operation
    FOR UPDATE OF n
), disowned AS (
    UPDATE pap.running AS n SET performing = false, ask_after = least(n.ask_after, clock.now)
    FROM ours CROSS JOIN clock WHERE n.operation = ours.operation
)
SELECT o.state = 'proposed' AS may_still_be_claimed
FROM wanted AS w
LEFT JOIN pap.operations AS o ON o.operation_id = w.operation_id AND o.company = w.company
ORDER BY w.place
