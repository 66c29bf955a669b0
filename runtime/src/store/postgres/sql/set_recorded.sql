-- Run before a life is begun, and when a connection finds a store that has gone back.
-- Promise: what the next one to connect is compared with is on record before anything is confirmed.
WITH clock AS MATERIALIZED (
    SELECT set_config('lock_timeout', $1, true)
)
INSERT INTO pap.meta (name, value)
SELECT r.name, r.value FROM clock CROSS JOIN unnest($2::text[], $3::text[]) AS r (name, value)
ON CONFLICT (name) DO UPDATE SET value = excluded.value
