-- Run for `feed`, in a window of transactions that have all ended.
-- Promise: events of a window come in their order, those of one operation as they happened.
SELECT e.sequence, e.at, e.kind, o.operation_id
FROM pap.events AS e JOIN pap.operations AS o ON o.key = e.operation
WHERE o.company = $1::text AND e.xid >= $2::text::xid8 AND e.xid < $3::text::xid8
  AND e.sequence > $4::bigint
ORDER BY e.sequence
LIMIT $5::bigint
