-- Run once when a copy of the database is taken into use, while nobody else uses it.
-- Promise: nothing that may have been confirmed since is confirmed again, nor started; all else is asked about.
WITH clock AS MATERIALIZED (
    SELECT pap.moment($1, $2) AS now, set_config('lock_timeout', $3, true)
), expired AS (
    UPDATE pap.operations AS o SET state = 'expired', result_summary = $4::text, ended_at = clock.now
    FROM clock
    WHERE o.key IN (SELECT a.operation FROM pap.open_actions AS a) AND o.state = 'proposed'
    RETURNING o.key, o.revision, o.company, o.tells_release
), freed AS (
    DELETE FROM pap.open_actions AS a USING expired AS e WHERE a.operation = e.key
), let_go AS (
    INSERT INTO pap.releases (operation, revision, company, why, try_after)
    SELECT e.key, e.revision, e.company, 'expired', clock.now FROM clock CROSS JOIN expired AS e
    WHERE e.tells_release
), spent AS (
    UPDATE pap.operations AS o SET ticket = uuid_send(gen_random_uuid())
    FROM pap.running AS n
    WHERE n.operation = o.key AND n.life IS NULL AND o.ticket IS NULL
), asked AS (
    UPDATE pap.running AS n
    SET life = coalesce(n.life, uuid_send(gen_random_uuid())), performing = false, asker = NULL,
        ask_after = least(n.ask_after, clock.now), died_asking = 0, from_copy = true
    FROM clock
    RETURNING n.operation
), ended AS (
    UPDATE pap.lives AS l SET ended_at = clock.now FROM clock WHERE l.ended_at IS NULL
), moved AS (
    -- numbers of another server's transactions: here they would be of transactions that are still to come
    UPDATE pap.events AS e SET xid = pg_current_xact_id() WHERE e.xid > pg_current_xact_id()
), told AS (
    INSERT INTO pap.events (operation, at, kind, detail)
    SELECT t.key, clock.now, t.kind, t.detail FROM clock CROSS JOIN (
        SELECT e.key, 'ended' AS kind, $5::text AS detail FROM expired AS e
        UNION ALL
        SELECT a.operation, 'unsettled', $6::text FROM asked AS a
    ) AS t ORDER BY t.key
), known AS (
    INSERT INTO pap.meta (name, value)
    SELECT r.name, r.value FROM unnest($7::text[], $8::text[]) AS r (name, value)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value
), forgotten AS (
    DELETE FROM pap.meta AS m WHERE m.name = 'behind'
)
SELECT (SELECT count(*) FROM expired) AS expired, (SELECT count(*) FROM asked) AS asked
