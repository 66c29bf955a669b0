-- Run by a reader for `feed`; looks at a bounded number of events, whosever they are.
-- Promise: events come in the order in which they became visible, and none is passed over.
SELECT e.sequence, e.at, e.kind, o.operation_id, o.company = ?2
FROM events AS e LEFT JOIN operations AS o ON o.key = e.operation
WHERE e.sequence > ?1
ORDER BY e.sequence
LIMIT ?3
