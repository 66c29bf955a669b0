-- The statements that many wait for, as functions: a server plans the statement of a function once for each of its
-- sessions, behind a pooler too, where no statement can be prepared. A later migration replaces a body where nodes
-- of the version before may run the new one; otherwise it makes a function of another name, and leaves this one
-- until no node calls it.
--
-- One plan serves any number of rows, and is kept whatever the tables hold later: made while they are empty, when
-- reading one through costs nothing, it is still there when they are full. So nothing here can be had by walking
-- through an index: a row is looked up with `= ANY (ARRAY[…])`, which its own index serves and no join of whole
-- tables, a company is compared beside that, and locks are taken in the order of `key + 0`.

-- Run by claim.sql for the confirming lane; proofs and operations in one order.
-- Promise: at most one ticket moves an operation from proposed to in_progress, for its latest revision in the very
-- words that were approved.
CREATE FUNCTION pap.claim(
    told bigint, seen bigint, patience text, companies text[], operation_ids text[], revisions int[],
    approvals text[], clients text[], thumbprints text[], sessions text[], accounts text[], digests bytea[],
    tickets bytea[], lives bytea[], proofs bytea[], proof_tickets bytea[], untils bigint[], details text[]
) RETURNS TABLE (at bigint, is_claimed boolean, is_replayed boolean, number bigint)
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off AS $$
#variable_conflict use_column
BEGIN
RETURN QUERY
WITH clock AS MATERIALIZED (
    SELECT pap.moment(told, seen) AS now, set_config('lock_timeout', patience, true)
), wanted AS MATERIALIZED (
    SELECT * FROM unnest(companies, operation_ids, revisions, approvals, clients, thumbprints, sessions,
        accounts, digests, tickets, lives, proofs, proof_tickets, untils, details) WITH ORDINALITY
    AS w (company, operation_id, revision, approved_by, client, thumbprint, session, account, digest,
          ticket, life, proof, proof_ticket, until, detail, place)
), held AS MATERIALIZED (
    SELECT c.company, pap.held_back(c.company, 'claims') AS actions
    FROM clock CROSS JOIN (SELECT DISTINCT w.company FROM wanted AS w) AS c
), used AS (
    INSERT INTO pap.replay AS r (proof, ticket, until)
    SELECT w.proof, w.proof_ticket, w.until FROM clock CROSS JOIN wanted AS w
    WHERE w.proof IS NOT NULL AND (SELECT count(*) FROM held) > 0
    ORDER BY w.proof
    ON CONFLICT (proof) DO UPDATE SET ticket = excluded.ticket WHERE r.ticket = excluded.ticket
    RETURNING r.proof, r.until
), forgotten AS MATERIALIZED (
    SELECT pap.forgotten_until((SELECT count(*) FROM used)) AS until
), accepted AS MATERIALIZED (
    SELECT u.proof FROM used AS u CROSS JOIN forgotten AS f WHERE u.until > f.until
-- a step of its own: what waits for a row is looked at again, and must not lead back to what writes
), allowed AS MATERIALIZED (
    SELECT w.* FROM wanted AS w
    WHERE w.proof IS NULL OR w.proof IN (SELECT a.proof FROM accepted AS a)
), fit AS MATERIALIZED (
    SELECT o.key, w.*
    FROM clock CROSS JOIN allowed AS w
    JOIN pap.operations AS o
      ON o.operation_id = ANY (ARRAY[w.operation_id]) AND o.company IS NOT DISTINCT FROM w.company
    JOIN held AS h ON h.company = w.company
    JOIN pap.revisions AS r ON r.operation = ANY (ARRAY[o.key]) AND r.number = o.revision
    WHERE o.state = 'proposed' AND o.revision = w.revision AND r.digest = w.digest AND o.expires_at >= clock.now
      AND NOT ('' = ANY (h.actions) OR o.action = ANY (h.actions))
    ORDER BY o.key + 0
    FOR UPDATE OF o
), claimed AS (
    UPDATE pap.operations AS o
    SET state = 'in_progress', ticket = f.ticket, confirmed_at = clock.now,
        approved_by = f.approved_by, confirmed_client = f.client, confirmed_key = f.thumbprint,
        confirmed_session = f.session, confirmed_account = f.account, confirmed_digest = f.digest
    FROM fit AS f CROSS JOIN clock
    WHERE o.key = ANY (ARRAY[f.key])
    RETURNING o.key, f.company, f.life, f.detail, f.place
), listed AS (
    INSERT INTO pap.running (operation, company, life, performing, ask_after)
    SELECT c.key, c.company, c.life, c.life IS NOT NULL, clock.now FROM claimed AS c CROSS JOIN clock
), told AS (
    INSERT INTO pap.events (operation, at, kind, detail)
    SELECT c.key, clock.now, 'confirmed', c.detail FROM claimed AS c CROSS JOIN clock ORDER BY c.key
)
SELECT clock.now, w.place IN (SELECT c.place FROM claimed AS c),
       w.proof IS NOT NULL AND w.proof NOT IN (SELECT a.proof FROM accepted AS a),
       pg_current_xact_id_if_assigned()::text::bigint
FROM clock CROSS JOIN wanted AS w
ORDER BY w.place;
END
$$;

-- Run by finish.sql for the finishing lane; operations in one order.
-- Promise: who may ends an operation once, every change on record told, behind no fence that was passed.
CREATE FUNCTION pap.finish(
    told bigint, seen bigint, patience text, companies text[], operation_ids text[], bys text[],
    tickets bytea[], epochs int[], fences text[], states text[], summaries text[], datas text[],
    changes_seen int[], details text[], brought_places bigint[], brought_changes text[],
    brought_details text[]
) RETURNS TABLE (at bigint, is_ended boolean)
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off AS $$
#variable_conflict use_column
BEGIN
RETURN QUERY
WITH clock AS MATERIALIZED (
    SELECT pap.moment(told, seen) AS now, set_config('lock_timeout', patience, true)
), wanted AS MATERIALIZED (
    SELECT * FROM unnest(companies, operation_ids, bys, tickets, epochs, fences, states, summaries, datas,
        changes_seen, details) WITH ORDINALITY
    AS w (company, operation_id, by, ticket, epoch, fence, state, summary, data, changes, detail, place)
), brought AS MATERIALIZED (
    SELECT * FROM unnest(brought_places, brought_changes, brought_details) WITH ORDINALITY
    AS b (place, change, detail, rank)
), fit AS MATERIALIZED (
    SELECT o.key, w.place, w.state, w.summary, w.data, w.detail, n.noted
    FROM clock CROSS JOIN wanted AS w
    JOIN pap.operations AS o
      ON o.operation_id = ANY (ARRAY[w.operation_id]) AND o.company IS NOT DISTINCT FROM w.company
    JOIN pap.running AS n ON n.operation = ANY (ARRAY[o.key])
    WHERE o.state = 'in_progress' AND n.changes = w.changes
      AND CASE w.by
          WHEN 'performer' THEN o.ticket = w.ticket
          WHEN 'not_started' THEN o.ticket IS NULL
          WHEN 'asker' THEN n.epoch = w.epoch AND NOT (w.fence IS NOT NULL AND n.from_copy) AND NOT EXISTS (
              SELECT FROM pap.notes AS c
              WHERE c.operation = o.key AND c.name = w.fence AND c.kind = 'checkpoint' OFFSET 0)
          WHEN 'asker_in_part' THEN n.epoch = w.epoch AND NOT n.from_copy
          ELSE w.by = 'settler' END
    ORDER BY o.key + 0
    -- no more of the operation than its update takes: a note that has its running row refers to its key
    FOR NO KEY UPDATE OF o FOR UPDATE OF n
), ended AS (
    UPDATE pap.operations AS o
    SET state = f.state, result_summary = f.summary, result_data = f.data, ended_at = clock.now
    FROM fit AS f CROSS JOIN clock
    WHERE o.key = ANY (ARRAY[f.key])
    RETURNING o.key, f.place, f.detail
), unlisted AS (
    DELETE FROM pap.running AS n USING ended AS e WHERE n.operation = ANY (ARRAY[e.key])
), freed AS (
    DELETE FROM pap.open_actions AS a USING ended AS e WHERE a.operation = ANY (ARRAY[e.key])
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
        SELECT e.key, NULL, 'ended', e.detail FROM ended AS e
    ) AS t ORDER BY t.key, t.rank NULLS LAST
)
SELECT clock.now, w.place IN (SELECT e.place FROM ended AS e)
FROM clock CROSS JOIN wanted AS w ORDER BY w.place;
END
$$;

-- Run by read.sql for the reading lane.
-- Promise: a company sees its own operations alone, as they were last written.
CREATE FUNCTION pap.read(companies text[], operation_ids text[])
RETURNS TABLE (place bigint, found pap.stored)
LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off AS $$
#variable_conflict use_column
BEGIN
RETURN QUERY
SELECT w.place, s
FROM unnest(companies, operation_ids) WITH ORDINALITY AS w (company, operation_id, place)
JOIN pap.stored AS s
  ON s.operation_id = ANY (ARRAY[w.operation_id]) AND s.company IS NOT DISTINCT FROM w.company;
END
$$;
