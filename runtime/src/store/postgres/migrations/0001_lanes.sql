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
DECLARE
    now bigint := pap.moment(told, seen);
BEGIN
patience := set_config('lock_timeout', patience, true);
RETURN QUERY
WITH held AS MATERIALIZED (
    SELECT companies[p] AS company, pap.held_back(companies[p], 'claims') AS actions
    FROM generate_subscripts(companies, 1) AS p WHERE array_position(companies, companies[p]) = p
), used AS (
    INSERT INTO pap.replay AS r (proof, ticket, until)
    SELECT proofs[p], proof_tickets[p], untils[p] FROM generate_subscripts(operation_ids, 1) AS p
    WHERE proofs[p] IS NOT NULL AND (SELECT count(*) FROM held) > 0
    ORDER BY proofs[p]
    ON CONFLICT (proof) DO UPDATE SET ticket = excluded.ticket WHERE r.ticket = excluded.ticket
    RETURNING r.proof, r.until
-- a step of its own: what waits for a row is looked at again, and must not lead back to what writes
), allowed AS MATERIALIZED (
    SELECT p AS place FROM generate_subscripts(operation_ids, 1) AS p
    WHERE proofs[p] IS NULL OR proofs[p] = ANY (ARRAY(
        SELECT u.proof FROM used AS u
        WHERE u.until > (SELECT pap.forgotten_until((SELECT count(*) FROM used)))))
), fit AS MATERIALIZED (
    SELECT o.key, w.place
    FROM allowed AS w
    JOIN pap.operations AS o
      ON o.operation_id = ANY (ARRAY[operation_ids[w.place]])
     AND o.company IS NOT DISTINCT FROM companies[w.place]
    JOIN held AS h ON h.company = companies[w.place]
    WHERE o.state = 'proposed' AND o.revision = revisions[w.place] AND o.expires_at >= now
      AND EXISTS (
          SELECT FROM pap.revisions AS r
          WHERE r.operation = o.key AND r.number = o.revision AND r.digest = digests[w.place] OFFSET 0)
      AND NOT ('' = ANY (h.actions) OR o.action = ANY (h.actions))
    ORDER BY o.key + 0
    FOR UPDATE OF o
), claimed AS (
    UPDATE pap.operations AS o
    SET state = 'in_progress', ticket = tickets[f.place], confirmed_at = now,
        approved_by = approvals[f.place], confirmed_client = clients[f.place],
        confirmed_key = thumbprints[f.place], confirmed_session = sessions[f.place],
        confirmed_account = accounts[f.place], confirmed_digest = digests[f.place]
    FROM fit AS f
    WHERE o.key = ANY (ARRAY[f.key])
    RETURNING o.key, f.place
), listed AS (
    INSERT INTO pap.running (operation, company, life, performing, ask_after)
    SELECT c.key, companies[c.place], lives[c.place], lives[c.place] IS NOT NULL, now FROM claimed AS c
), told AS (
    INSERT INTO pap.events (operation, at, kind, detail)
    SELECT c.key, now, 'confirmed', details[c.place] FROM claimed AS c
)
SELECT now, p = ANY (ARRAY(SELECT c.place FROM claimed AS c)),
       NOT p = ANY (ARRAY(SELECT w.place FROM allowed AS w)),
       pg_current_xact_id_if_assigned()::text::bigint
FROM generate_subscripts(operation_ids, 1) AS p
ORDER BY p;
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
DECLARE
    now bigint := pap.moment(told, seen);
BEGIN
patience := set_config('lock_timeout', patience, true);
RETURN QUERY
WITH fit AS MATERIALIZED (
    SELECT o.key, p AS place, n.noted
    FROM generate_subscripts(operation_ids, 1) AS p
    JOIN pap.operations AS o
      ON o.operation_id = ANY (ARRAY[operation_ids[p]]) AND o.company IS NOT DISTINCT FROM companies[p]
    JOIN pap.running AS n ON n.operation = ANY (ARRAY[o.key])
    WHERE o.state = 'in_progress' AND n.changes = changes_seen[p]
      AND CASE bys[p]
          WHEN 'performer' THEN o.ticket = tickets[p]
          WHEN 'not_started' THEN o.ticket IS NULL
          WHEN 'asker' THEN n.epoch = epochs[p] AND NOT (fences[p] IS NOT NULL AND n.from_copy) AND NOT EXISTS (
              SELECT FROM pap.notes AS c
              WHERE c.operation = o.key AND c.name = fences[p] AND c.kind = 'checkpoint' OFFSET 0)
          WHEN 'asker_in_part' THEN n.epoch = epochs[p] AND NOT n.from_copy
          ELSE bys[p] = 'settler' END
    ORDER BY o.key + 0
    -- no more of the operation than its update takes: a note that has its running row refers to its key
    FOR NO KEY UPDATE OF o FOR UPDATE OF n
), ended AS (
    UPDATE pap.operations AS o
    SET state = states[f.place], result_summary = summaries[f.place], result_data = datas[f.place],
        ended_at = now
    FROM fit AS f
    WHERE o.key = ANY (ARRAY[f.key])
    RETURNING o.key, f.place, f.noted
), unlisted AS (
    DELETE FROM pap.running AS n USING ended AS e WHERE n.operation = ANY (ARRAY[e.key])
), freed AS (
    DELETE FROM pap.open_actions AS a USING ended AS e WHERE a.operation = ANY (ARRAY[e.key])
-- those of one place stand together, in their order
), brought AS MATERIALIZED (
    SELECT e.key, b AS rank, e.noted + 1 + b - array_position(brought_places, e.place::bigint) AS number
    FROM ended AS e JOIN generate_subscripts(brought_places, 1) AS b ON brought_places[b] = e.place
), noted AS (
    INSERT INTO pap.notes (operation, number, kind, value, at)
    SELECT b.key, b.number, 'change', brought_changes[b.rank], now FROM brought AS b
), told AS (
    INSERT INTO pap.events (operation, at, kind, detail)
    SELECT t.key, now, t.kind, t.detail FROM (
        SELECT b.key, b.rank, 'change_noted' AS kind, brought_details[b.rank] AS detail FROM brought AS b
        UNION ALL
        SELECT e.key, NULL, 'ended', details[e.place] FROM ended AS e
    ) AS t ORDER BY t.key, t.rank NULLS LAST
)
SELECT now, p = ANY (ARRAY(SELECT e.place FROM ended AS e))
FROM generate_subscripts(operation_ids, 1) AS p ORDER BY p;
END
$$;

-- Run by read.sql for the reading lane. An operation is one value, since the statement around the function is planned
-- each time, and its columns would be most of that.
-- Promise: a company sees its own operations alone, as they were last written.
CREATE FUNCTION pap.read(companies text[], operation_ids text[])
RETURNS TABLE (place bigint, found bytea)
LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off AS $$
#variable_conflict use_column
BEGIN
RETURN QUERY
SELECT w.place, record_send(s)
FROM unnest(companies, operation_ids) WITH ORDINALITY AS w (company, operation_id, place)
JOIN pap.stored AS s
  ON s.operation_id = ANY (ARRAY[w.operation_id]) AND s.company IS NOT DISTINCT FROM w.company;
END
$$;
