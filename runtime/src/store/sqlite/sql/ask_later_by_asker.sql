-- Run by the writer for `ask_later`.
-- Promise: only the latest asker says when to ask again, and having answered it has not died asking.
UPDATE running
SET ask_after = ?4, due = coalesce(?5, due), attention = ?6, died_asking = 0
WHERE operation = (SELECT key FROM operations
                   WHERE operation_id = ?1 AND company = ?2 AND state = 'in_progress')
  AND epoch = ?3
RETURNING operation
