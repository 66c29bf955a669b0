-- Run as the second of two commits of a confirm, alone.
-- Promise: whoever holds the ticket ends it.
WITH ended AS (
    UPDATE operations SET state = 2, result = $2, finished_at = $4
    WHERE operation_id = $1 AND state = 1 AND ticket = $3
    RETURNING operation_id
), told AS (
    INSERT INTO events (operation_id, at, kind, detail) SELECT operation_id, $4, 2, $5 FROM ended
)
SELECT operation_id FROM ended
