-- Run by the writer when request_stop.sql changed nothing.
-- Promise: asking again to stop is answered like the first time.
SELECT n.stop_requested
FROM operations AS o JOIN running AS n ON n.operation = o.key
WHERE o.operation_id = ?1 AND o.company = ?2 AND o.state = 'in_progress'
