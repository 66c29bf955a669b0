-- Run on every new connection before anything else.
-- Promise: no answer rests on a replica, which may lag behind what was confirmed.
SELECT pg_is_in_recovery() AS is_replica
