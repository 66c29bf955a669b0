-- Run now and then, a bounded number of rows at a time; what another node forgets is skipped.
-- Promise: a proof is remembered until its time is over, and not for ever: over by the server's clock and by that of
-- the node, each as it is set, so that one that is ahead forgets nothing. Up to when those were good that were
-- forgotten is on record with it, and only grows.
WITH over AS MATERIALIZED (
    SELECT r.proof FROM pap.replay AS r WHERE r.until < (SELECT least(pap.moment($1::bigint, 0), $2::bigint))
    ORDER BY r.until LIMIT $3::bigint FOR UPDATE SKIP LOCKED
), forgotten AS (
    DELETE FROM pap.replay AS r USING over AS o WHERE r.proof = ANY (ARRAY[o.proof]) RETURNING r.until
), known AS (
    INSERT INTO pap.meta AS m (name, value)
    SELECT 'forgotten_until', max(f.until)::text FROM forgotten AS f HAVING count(*) > 0
    ON CONFLICT (name) DO UPDATE SET value = greatest(m.value::bigint, excluded.value::bigint)::text
)
SELECT true FROM forgotten
