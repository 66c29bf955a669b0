-- Run for `history`.
-- Promise: changes and checkpoints come back in the order in which they were noted.
SELECT n.kind, n.name, n.value, n.at
FROM pap.operations AS o JOIN pap.notes AS n ON n.operation = o.key
WHERE o.operation_id = $2::text AND o.company = $1::text ORDER BY n.number
