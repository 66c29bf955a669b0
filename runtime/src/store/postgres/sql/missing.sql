-- Run after schema_version.sql.
-- Promise: tables, views and functions that this runtime's statements name and that are not there are found before
-- any of them is run; so is a function that takes another number of values.
SELECT w.name FROM unnest($2::text[], $3::bigint[]) WITH ORDINALITY AS w (name, takes, place)
WHERE CASE WHEN w.takes IS NULL
      THEN NOT EXISTS (
          SELECT FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
          WHERE n.nspname = $1::text AND c.relname = w.name)
      ELSE NOT EXISTS (
          SELECT FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
          WHERE n.nspname = $1::text AND p.proname = w.name AND p.pronargs = w.takes) END
ORDER BY w.place
