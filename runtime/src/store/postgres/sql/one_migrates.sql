-- Run first in the transaction of a migration; the lock ends with it.
-- Promise: of two nodes that start at once, one migrates and the other finds it done.
SELECT set_config('lock_timeout', $1, true), pg_advisory_xact_lock(hashtextextended($2, 0))
