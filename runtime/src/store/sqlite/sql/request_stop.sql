-- Run by the writer for `request_stop`.
-- Promise: the first request to stop stands.
UPDATE running
SET stop_requested = ?3
WHERE operation = (SELECT key FROM operations
                   WHERE operation_id = ?1 AND company = ?2 AND state = 'in_progress')
  AND stop_requested IS NULL
RETURNING operation
