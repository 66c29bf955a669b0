-- Removing and blanking, in two steps each: the first takes the operations and waits for whoever writes about them,
-- the second sees what those have written, and touches no other. A single statement would look as of a moment before
-- its locks, and leave behind what came in between.

-- Run by purge.sql, a bounded number of operations at a time.
-- Promise: an operation that has ended and has nothing to release goes whole, and its id with nobody; whose doing it
-- is, if it is anybody's, is on record with it.
CREATE FUNCTION pap.purge(
    told bigint, seen bigint, patience text, of_company text, of_action text, after bigint, most bigint,
    ended_before bigint, by_id bytea, by_who text, by_why text
) RETURNS TABLE (removed bigint, looked_at bigint, last bigint)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
    piece bigint[];
    held bigint[];
BEGIN
PERFORM set_config('lock_timeout', patience, true);
piece := ARRAY(
    SELECT o.key FROM pap.operations AS o
    WHERE o.company = of_company AND o.action = of_action AND o.key > after
    ORDER BY o.key LIMIT most
);
held := ARRAY(
    SELECT o.key FROM pap.operations AS o
    WHERE o.key = ANY (piece) AND o.ended_at < ended_before
    ORDER BY o.key FOR UPDATE
);
WITH fit AS MATERIALIZED (
    SELECT o.key, o.company, o.operation_id FROM pap.operations AS o
    WHERE o.key = ANY (held) AND NOT EXISTS (SELECT FROM pap.releases AS n WHERE n.operation = o.key)
), kept AS (
    INSERT INTO pap.purged (company, operation_id) SELECT f.company, f.operation_id FROM fit AS f
    ON CONFLICT DO NOTHING
), no_moments AS (
    DELETE FROM pap.expiring AS e USING fit AS f, pap.revisions AS r
    WHERE r.operation = f.key AND e.company = f.company AND e.expires_at = r.expires_at
      AND e.operation = f.key
), no_revisions AS (
    DELETE FROM pap.revisions AS r USING fit AS f WHERE r.operation = f.key
), no_notes AS (
    DELETE FROM pap.notes AS n USING fit AS f WHERE n.operation = f.key
), no_events AS (
    DELETE FROM pap.events AS e USING fit AS f WHERE e.operation = f.key
), gone AS (
    DELETE FROM pap.operations AS o USING fit AS f WHERE o.key = f.key RETURNING o.key
)
SELECT (SELECT count(*) FROM gone), cardinality(piece)::bigint, piece[cardinality(piece)]
INTO removed, looked_at, last;
IF by_id IS NOT NULL THEN
    PERFORM pap.acted(of_company, by_id, pap.moment(told, seen), 'purge', NULL, of_action, by_who, by_why, removed);
END IF;
RETURN NEXT;
END
$$;

-- Run by erase.sql, with a salt for each of a bounded number of operations.
-- Promise: which operation it was, what became of it and when is all that stays, and salted digests; whose doing it is
-- is on record with it, and not of whom.
CREATE FUNCTION pap.erase(
    told bigint, seen bigint, patience text, of_company text, of_account text, salts bytea[], detail text,
    by_id bytea, by_who text, by_why text
) RETURNS TABLE (at bigint, erased bigint, open bigint, over bigint)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
    held bigint[];
BEGIN
PERFORM set_config('lock_timeout', patience, true);
held := ARRAY(
    SELECT o.key FROM pap.operations AS o
    WHERE o.company = of_company AND o.account = of_account AND o.ended_at IS NOT NULL
      AND NOT EXISTS (SELECT FROM pap.releases AS n WHERE n.operation = o.key)
    ORDER BY o.key LIMIT cardinality(salts) FOR NO KEY UPDATE
);
WITH clock AS MATERIALIZED (
    SELECT pap.moment(told, seen) AS now
), found AS MATERIALIZED (
    SELECT o.key, o.ended_at IS NOT NULL AND NOT EXISTS (
        SELECT FROM pap.releases AS n WHERE n.operation = o.key) AS over
    FROM pap.operations AS o WHERE o.company = of_company AND o.account = of_account
), piece AS MATERIALIZED (
    SELECT h.key, s.salt
    FROM unnest(held) WITH ORDINALITY AS h (key, place)
    JOIN unnest(salts) WITH ORDINALITY AS s (salt, place) ON s.place = h.place
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
), on_record AS (
    INSERT INTO pap.events (operation, at, kind, detail)
    SELECT b.key, clock.now, 'erased', detail FROM clock CROSS JOIN blanked AS b
)
SELECT clock.now, (SELECT count(*) FROM blanked), (SELECT count(*) FROM found WHERE NOT over),
       (SELECT count(*) FROM found WHERE over)
INTO at, erased, open, over
FROM clock;
PERFORM pap.acted(of_company, by_id, at, 'erase', NULL, NULL, by_who, by_why, erased);
RETURN NEXT;
END
$$;
