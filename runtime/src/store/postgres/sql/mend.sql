-- Run on a connection before anything else, when an answer was lost or a commit was reported without its standby.
-- Promise: what is read afterwards lasts as long as this write, which was acknowledged after it.
WITH clock AS MATERIALIZED (
    SELECT set_config('lock_timeout', $1, true)
)
INSERT INTO pap.meta (name, value) SELECT 'mended', pg_current_xact_id()::text FROM clock
ON CONFLICT (name) DO UPDATE SET value = excluded.value
RETURNING pg_current_xact_id()::text::bigint AS number
