-- Run by the writer for `ask_later`.
-- Promise: only the performer says that nobody performs any more.
UPDATE running
SET performing = 0, ask_after = ?4, due = coalesce(?5, due), attention = ?6, died_asking = 0
WHERE operation = (SELECT key FROM operations
                   WHERE operation_id = ?1 AND company = ?2 AND state = 'in_progress' AND ticket = ?3)
RETURNING operation
