-- Run when a store connects, before anything is written.
-- Promise: a server that could forget a commit, or is no primary, is found out before it is trusted.
SELECT pg_is_in_recovery() AS recovering,
       current_setting('server_version_num')::int AS version,
       current_setting('server_encoding') AS encoding,
       current_setting('fsync') AS fsync,
       current_setting('full_page_writes') AS full_page_writes,
       current_setting('synchronous_commit') AS synchronous_commit,
       current_setting('synchronous_standby_names') AS standbys,
       current_setting('default_transaction_isolation') AS isolation,
       current_setting('default_transaction_read_only') AS read_only,
       current_setting('statement_timeout') AS statement_timeout,
       coalesce(current_setting('transaction_timeout', true), '0') AS transaction_timeout,
       current_user::text AS role, current_database()::text AS database,
       has_database_privilege(current_database(), 'CREATE') AS may_create
