-- Run for `propose` after one_at_a_time.sql.
-- Promise: an owner has one open operation for an action and identity; what has expired gives up its place.
WITH clock AS MATERIALIZED (
    SELECT pap.moment($1, $2) AS now
), standing AS MATERIALIZED (
    SELECT o.key, o.operation_id, w.place, o.state = 'proposed' AND o.expires_at < clock.now AS late
    FROM clock CROSS JOIN unnest($5::text[]) WITH ORDINALITY AS w (owner, place)
    JOIN pap.open_actions AS a
      ON a.company = $3::text AND a.owner = w.owner AND a.action = $6::text AND a.identity = $7::bytea
    JOIN pap.operations AS o ON o.key = a.operation
), held AS MATERIALIZED (
    SELECT pap.held_back($3::text, 'proposals') AS actions
), decided AS MATERIALIZED (
    SELECT NOT EXISTS (SELECT FROM standing WHERE NOT late) AS is_free,
           '' = ANY (held.actions) OR $6::text = ANY (held.actions) AS is_held,
           EXISTS (SELECT FROM pap.purged AS p
                   WHERE p.operation_id = $4::text AND p.company = $3::text) AS was_issued
    FROM held
), expired AS (
    UPDATE pap.operations AS o SET state = 'expired', result_summary = $8::text, ended_at = clock.now
    FROM clock CROSS JOIN standing AS s CROSS JOIN decided AS d
    WHERE o.key = s.key AND o.state = 'proposed' AND o.expires_at < clock.now
      AND d.is_free AND NOT d.is_held AND NOT d.was_issued
    RETURNING o.key, o.revision, o.tells_release
), freed AS (
    DELETE FROM pap.open_actions AS a USING expired AS e WHERE a.operation = e.key RETURNING a.operation
), opened AS (
    INSERT INTO pap.operations (company, operation_id, action, client, "user", account, session,
                                state, revision, expires_at, reference, tells_release)
    SELECT $3::text, $4::text, $6::text, $10::text, $11::text, $12::text, $13::text,
           'proposed', 1, $15::bigint, $26::text, $27::bool
    FROM decided AS d
    WHERE NOT d.is_held AND NOT d.was_issued
      AND (SELECT count(*) FROM freed) = (SELECT count(*) FROM standing)
    RETURNING key
), issued AS (
    INSERT INTO pap.revisions (operation, number, schema_version, full_terms, wire_terms, summary, digest,
                               user_approval_required, scopes, url, expires_at, issued_at)
    SELECT o.key, 1, $16::bigint, $17::text, $18::text, $19::text, $20::bytea, $21::bool, $22::text,
           $23::text, $15::bigint, $24::bigint
    FROM opened AS o
), placed AS (
    INSERT INTO pap.open_actions (company, owner, action, identity, operation, request)
    SELECT $3::text, ($5::text[])[1], $6::text, $7::bytea, o.key, $14::bytea FROM opened AS o
), watched AS (
    INSERT INTO pap.expiring (company, expires_at, operation)
    SELECT $3::text, $15::bigint, o.key FROM opened AS o
), let_go AS (
    INSERT INTO pap.releases (operation, revision, company, why, try_after)
    SELECT e.key, e.revision, $3::text, 'expired', clock.now FROM clock CROSS JOIN expired AS e
    WHERE e.tells_release
), told AS (
    INSERT INTO pap.events (operation, at, kind, detail)
    SELECT e.operation, clock.now, 'ended', $9::text FROM clock CROSS JOIN freed AS e
    UNION ALL
    SELECT o.key, clock.now, 'proposed', $25::text FROM clock CROSS JOIN opened AS o
)
SELECT clock.now, EXISTS (SELECT FROM opened) AS opened, d.is_held, d.was_issued,
       (SELECT s.operation_id FROM standing AS s WHERE NOT s.late ORDER BY s.place LIMIT 1) AS standing
FROM clock CROSS JOIN decided AS d
