-- Run for `find_open`.
-- Promise: the same action raised again finds its open operation; one that has expired is not open.
WITH clock AS MATERIALIZED (
    SELECT pap.moment($1, $2) AS now
)
SELECT clock.now, a.request, s.*
FROM clock CROSS JOIN unnest($4::text[]) WITH ORDINALITY AS w (owner, place)
JOIN pap.open_actions AS a
  ON a.company = $3::text AND a.owner = w.owner AND a.action = $5::text AND a.identity = $6::bytea
JOIN pap.stored AS s ON s.key = a.operation
WHERE s.state <> 'proposed' OR s.expires_at >= clock.now
ORDER BY w.place
LIMIT 1
