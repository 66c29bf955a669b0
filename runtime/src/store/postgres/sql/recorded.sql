-- Run when a store connects.
-- Promise: which server and which tables these were is read from the tables, and what they are from the server.
SELECT (SELECT m.value FROM pap.meta AS m WHERE m.name = 'incarnation') AS incarnation,
       (SELECT m.value FROM pap.meta AS m WHERE m.name = 'behind') AS behind,
       (SELECT m.value FROM pap.meta AS m WHERE m.name = 'system') AS system,
       (SELECT m.value FROM pap.meta AS m WHERE m.name = 'timeline') AS timeline,
       (SELECT m.value FROM pap.meta AS m WHERE m.name = 'tables') AS tables,
       'pap.meta'::regclass::oid::text AS tables_here
