-- Run for `waiting`; reads the whole list of open work of a company, and no more.
-- Promise: what waits longest to be started comes first.
SELECT pap.moment($1, $2) AS now, s.*
FROM pap.running AS n JOIN pap.stored AS s ON s.key = n.operation
WHERE n.company = $3::text AND n.life IS NULL
  AND (s.action, s.schema_version) IN (SELECT * FROM unnest($5::text[], $6::bigint[]))
ORDER BY n.ask_after, n.operation
LIMIT $4::bigint
