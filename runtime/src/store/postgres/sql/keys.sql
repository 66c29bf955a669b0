-- Run for `verify`, a bounded number of operations at a time.
-- Promise: every operation of a company comes up once, in the order of proposals.
SELECT o.key, o.operation_id
FROM pap.operations AS o WHERE o.company = $1::text AND o.key > $2::bigint ORDER BY o.key LIMIT $3::bigint
