-- Run for `revise`.
-- Promise: revisions are numbered without gaps, and issued while the operation can be confirmed.
WITH clock AS MATERIALIZED (
    SELECT pap.moment($1, $2) AS now, set_config('lock_timeout', $3, true)
), revised AS (
    UPDATE pap.operations AS o SET revision = $6::int, expires_at = $7::bigint
    FROM clock
    WHERE o.operation_id = $5::text AND o.company = $4::text AND o.state = 'proposed'
      AND o.revision = $6::int - 1 AND o.expires_at >= clock.now
    RETURNING o.key, o.revision - 1 AS revision, o.tells_release
), issued AS (
    INSERT INTO pap.revisions (operation, number, schema_version, full_terms, wire_terms, summary, digest,
                               user_approval_required, scopes, url, expires_at, issued_at)
    SELECT r.key, $6::int, $8::bigint, $9::text, $10::text, $11::text, $12::bytea, $13::bool,
           $14::text, $15::text, $7::bigint, $16::bigint
    FROM revised AS r
), asked AS (
    UPDATE pap.open_actions AS a SET request = $17::bytea FROM revised AS r
    WHERE a.operation = r.key AND $17::bytea IS NOT NULL
), watched AS (
    INSERT INTO pap.expiring (company, expires_at, operation)
    SELECT $4::text, $7::bigint, r.key FROM revised AS r ON CONFLICT DO NOTHING
), let_go AS (
    INSERT INTO pap.releases (operation, revision, company, why, try_after)
    SELECT c.key, c.revision, $4::text, 'revised', clock.now FROM clock CROSS JOIN revised AS c
    WHERE c.tells_release
), told AS (
    INSERT INTO pap.events (operation, at, kind, detail)
    SELECT r.key, clock.now, 'revised', $18::text FROM clock CROSS JOIN revised AS r
)
SELECT clock.now, EXISTS (SELECT FROM revised) AS done, false AS replayed FROM clock
