-- Run when a store connects, and by a migration under its lock.
-- Promise: which form the tables have is read from the tables themselves.
SELECT (SELECT m.value FROM pap.meta AS m WHERE m.name = 'schema_version') AS version,
       (SELECT m.value FROM pap.meta AS m WHERE m.name = 'works_from') AS works_from
