-- Run for `erase`, with a salt for each of a bounded number of operations.
-- Promise: which operation it was, what became of it and when is all that stays, and salted digests.
WITH clock AS MATERIALIZED (
    SELECT pap.moment($1, $2) AS now, set_config('lock_timeout', $3, true)
), found AS MATERIALIZED (
    SELECT o.key, o.ended_at IS NOT NULL AND NOT EXISTS (
        SELECT FROM pap.releases AS n WHERE n.operation = o.key) AS over
    FROM pap.operations AS o WHERE o.company = $4::text AND o.account = $5::text
), piece AS MATERIALIZED (
    SELECT f.key, s.salt
    FROM (SELECT key, row_number() OVER (ORDER BY key) AS place FROM found WHERE over) AS f
    JOIN unnest($6::bytea[]) WITH ORDINALITY AS s (salt, place) ON s.place = f.place
), blanked AS (
    UPDATE pap.operations AS o
    SET "user" = '', account = NULL, session = '', reference = NULL,
        confirmed_key = CASE WHEN o.confirmed_key IS NOT NULL THEN '' END,
        confirmed_session = CASE WHEN o.confirmed_session IS NOT NULL THEN '' END,
        confirmed_account = NULL, confirmed_digest = sha256(p.salt || o.confirmed_digest),
        result_summary = '', result_data = NULL, erased_at = clock.now, erased_salt = p.salt
    FROM clock CROSS JOIN piece AS p WHERE o.key = p.key AND o.erased_at IS NULL
    RETURNING o.key, p.salt
), no_words AS (
    UPDATE pap.revisions AS r
    SET full_terms = '', wire_terms = '', summary = '', scopes = '[]', url = NULL,
        digest = sha256(b.salt || r.digest)
    FROM blanked AS b WHERE r.operation = b.key
), no_notes AS (
    UPDATE pap.notes AS n SET value = '' FROM blanked AS b WHERE n.operation = b.key
), no_details AS (
    UPDATE pap.events AS e SET detail = '{}' FROM blanked AS b WHERE e.operation = b.key
), told AS (
    INSERT INTO pap.events (operation, at, kind, detail)
    SELECT b.key, clock.now, 'erased', $7::text FROM clock CROSS JOIN blanked AS b
)
SELECT clock.now, (SELECT count(*) FROM blanked) AS erased,
       (SELECT count(*) FROM found WHERE NOT over) AS open, (SELECT count(*) FROM found WHERE over) AS over
FROM clock
