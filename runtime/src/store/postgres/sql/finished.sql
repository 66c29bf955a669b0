-- Run by the finishing lane, on another connection, for finishes whose acknowledgement was lost.
-- Promise: an end that this finds is durable once its own commit, which writes, is acknowledged.
WITH written AS (
    INSERT INTO pap.meta AS m (name, value) VALUES ('looked_again_at', clock_timestamp()::text)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value
)
SELECT o.state, o.result_summary, o.result_data, o.ended_at
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS w (company, operation_id, place)
LEFT JOIN pap.operations AS o ON o.operation_id = w.operation_id AND o.company = w.company
ORDER BY w.place
