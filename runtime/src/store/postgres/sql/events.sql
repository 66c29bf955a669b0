-- Run for `history`.
-- Promise: the record of an operation is complete and in order.
SELECT e.sequence, e.at, e.kind, e.detail
FROM pap.operations AS o JOIN pap.events AS e ON e.operation = o.key
WHERE o.operation_id = $2::text AND o.company = $1::text ORDER BY e.sequence
