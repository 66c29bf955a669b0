-- Run by the confirming lane for `claim`, for every claim that waits; proofs and operations in one order.
-- Promise: at most one ticket moves an operation from proposed to in_progress, for its latest revision.
WITH clock AS MATERIALIZED (
    SELECT pap.moment($1, $2) AS now, set_config('lock_timeout', $3, true)
), wanted AS MATERIALIZED (
    SELECT * FROM unnest($4::text[], $5::text[], $6::int[], $7::text[], $8::text[], $9::text[],
        $10::text[], $11::text[], $12::bytea[], $13::bytea[], $14::bytea[], $15::bytea[], $16::bytea[],
        $17::bigint[], $18::text[]) WITH ORDINALITY
    AS w (company, operation_id, revision, approved_by, client, thumbprint, session, account, digest,
          ticket, life, proof, proof_ticket, until, detail, place)
), held AS MATERIALIZED (
    SELECT c.company, pap.held_back(c.company, 'claims') AS actions
    FROM clock CROSS JOIN (SELECT DISTINCT w.company FROM wanted AS w) AS c
), accepted AS (
    INSERT INTO pap.replay AS r (proof, ticket, until)
    SELECT w.proof, w.proof_ticket, w.until FROM clock CROSS JOIN wanted AS w
    WHERE w.proof IS NOT NULL AND w.until >= clock.now AND (SELECT count(*) FROM held) > 0
    ORDER BY w.proof
    ON CONFLICT (proof) DO UPDATE SET ticket = excluded.ticket WHERE r.ticket = excluded.ticket
    RETURNING r.proof
), allowed AS MATERIALIZED (
    SELECT w.place, w.company, w.operation_id, w.revision
    FROM wanted AS w LEFT JOIN accepted AS a ON a.proof = w.proof
    WHERE w.proof IS NULL OR a.proof IS NOT NULL
), fit AS MATERIALIZED (
    SELECT o.key, w.place
    FROM clock CROSS JOIN allowed AS w
    JOIN pap.operations AS o ON o.operation_id = w.operation_id AND o.company = w.company
    JOIN held AS h ON h.company = w.company
    WHERE o.state = 'proposed' AND o.revision = w.revision AND o.expires_at >= clock.now
      AND NOT ('' = ANY (h.actions) OR o.action = ANY (h.actions))
    ORDER BY o.key
    FOR UPDATE OF o
), claimed AS (
    UPDATE pap.operations AS o
    SET state = 'in_progress', ticket = w.ticket, confirmed_at = clock.now,
        approved_by = w.approved_by, confirmed_client = w.client, confirmed_key = w.thumbprint,
        confirmed_session = w.session, confirmed_account = w.account, confirmed_digest = w.digest
    FROM fit CROSS JOIN clock JOIN wanted AS w ON w.place = fit.place
    WHERE o.key = fit.key
    RETURNING o.key, w.place
), listed AS (
    INSERT INTO pap.running (operation, company, life, performing, ask_after)
    SELECT c.key, w.company, w.life, w.life IS NOT NULL, clock.now
    FROM claimed AS c CROSS JOIN clock JOIN wanted AS w ON w.place = c.place
), told AS (
    INSERT INTO pap.events (operation, at, kind, detail)
    SELECT c.key, clock.now, 'confirmed', w.detail
    FROM claimed AS c CROSS JOIN clock JOIN wanted AS w ON w.place = c.place
    ORDER BY c.key
)
SELECT clock.now, c.key IS NOT NULL AS claimed, w.proof IS NOT NULL AND a.proof IS NULL AS replayed,
       pg_current_xact_id_if_assigned()::text::bigint AS number
FROM clock CROSS JOIN wanted AS w
LEFT JOIN claimed AS c ON c.place = w.place
LEFT JOIN accepted AS a ON a.proof = w.proof
ORDER BY w.place
