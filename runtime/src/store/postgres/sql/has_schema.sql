-- Run before schema_version.sql.
-- Promise: a database without our tables is told from one whose tables cannot be read.
SELECT to_regclass($1) IS NOT NULL AS there,
       EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = $2) AS schema_there
