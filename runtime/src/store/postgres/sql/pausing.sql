-- Run for `pause` before pause.sql, in its transaction; the lock ends with it.
-- Promise: a pause waits for what was let through before it, and holds from when it returns.
SELECT set_config('lock_timeout', $1, true),
       pg_advisory_xact_lock(hashtextextended('pap.pauses ' || $2::text, 0))
