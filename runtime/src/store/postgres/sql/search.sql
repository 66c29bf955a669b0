-- Run for `search`.
-- Promise: operations are found in proposal order, those of an account, reference or action by an index.
SELECT pap.moment($1, $2) AS now, s.*
FROM pap.operations AS o JOIN pap.stored AS s ON s.key = o.key
WHERE o.company = $3::text AND o.key > $4::bigint
  AND ($6::text IS NULL OR o.state = $6::text) AND ($7::text IS NULL OR o.action = $7::text)
  AND ($8::text IS NULL OR o.account = $8::text) AND ($9::text IS NULL OR o.reference = $9::text)
  AND ($10::bigint IS NULL OR EXISTS (
      SELECT FROM pap.revisions AS r
      WHERE r.operation = o.key AND r.number = 1 AND r.issued_at < $10::bigint))
ORDER BY o.key
LIMIT $5::bigint
