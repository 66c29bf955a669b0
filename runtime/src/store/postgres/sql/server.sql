-- Run when a store connects and on every new connection, where the role may.
-- Promise: another server, and one that was promoted, is told from the one that was there.
SELECT c.system_identifier::text AS system, left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) AS timeline
FROM pg_control_system() AS c
