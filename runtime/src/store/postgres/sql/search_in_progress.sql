-- Run for `search` of what is in progress; reads the whole list of open work of a company at most.
-- Promise: what is in progress is found without reading what has ended.
SELECT pap.moment($1, $2) AS now, s.*
FROM pap.running AS n
JOIN pap.operations AS o ON o.key = n.operation JOIN pap.stored AS s ON s.key = n.operation
WHERE o.company = $3::text AND o.key > $4::bigint
  AND ($6::text IS NULL OR o.state = $6::text) AND ($7::text IS NULL OR o.action = $7::text)
  AND ($8::text IS NULL OR o.account = $8::text) AND ($9::text IS NULL OR o.reference = $9::text)
  AND ($10::bigint IS NULL OR EXISTS (
      SELECT FROM pap.revisions AS r
      WHERE r.operation = o.key AND r.number = 1 AND r.issued_at < $10::bigint))
  AND n.company = $3::text
  AND ($11::bigint IS NULL OR n.attention OR (n.ask_after < $11::bigint AND (
      NOT n.performing OR NOT EXISTS (
          SELECT FROM pap.lives AS l WHERE l.life = n.life AND l.ended_at IS NULL))))
ORDER BY o.key
LIMIT $5::bigint
