-- Run as the second of two commits of a confirm.
-- Promise: whoever holds the ticket ends it.
UPDATE operations SET state = 2, result = ?2, finished_at = ?3
WHERE operation_id = ?1 AND state = 1 AND ticket = ?4
