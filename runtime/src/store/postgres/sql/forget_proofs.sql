-- Run now and then, a bounded number of rows at a time; what another node forgets is skipped.
-- Promise: a proof is remembered until its time is over, and not for ever.
DELETE FROM pap.replay WHERE proof IN (
    SELECT proof FROM pap.replay WHERE until < pap.moment($1, $2)
    ORDER BY until LIMIT $3::bigint FOR UPDATE SKIP LOCKED)
RETURNING true
