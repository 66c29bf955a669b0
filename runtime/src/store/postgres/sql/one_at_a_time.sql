-- Run for `propose` before propose.sql, in its transaction; the lock ends with it.
-- Promise: proposals of one action and identity that share an owner tag are decided one after the other.
SELECT set_config('lock_timeout', $1, true), pg_advisory_xact_lock($2::bigint)
