-- Run after take_askable.sql for what it took.
-- Promise: changes and checkpoints come back in the order in which they were noted.
SELECT operation, kind, name, value, at
FROM pap.notes WHERE operation = ANY ($1::bigint[]) ORDER BY operation, number
