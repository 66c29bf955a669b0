-- Run for `record_proof`.
-- Promise: a proof is accepted from one request; that request, sent again by ourselves, is no replay.
WITH clock AS MATERIALIZED (
    SELECT pap.moment($1, $2) AS now, set_config('lock_timeout', $3, true)
), used AS (
    INSERT INTO pap.replay AS r (proof, ticket, until)
    SELECT $4::bytea, $5::bytea, $6::bigint FROM clock
    ON CONFLICT (proof) DO UPDATE SET ticket = excluded.ticket WHERE r.ticket = excluded.ticket
    RETURNING r.until
), accepted AS MATERIALIZED (
    SELECT FROM used AS u WHERE u.until > pap.forgotten_until((SELECT count(*) FROM used))
)
SELECT clock.now, true AS done, NOT EXISTS (SELECT FROM accepted) AS replayed FROM clock
