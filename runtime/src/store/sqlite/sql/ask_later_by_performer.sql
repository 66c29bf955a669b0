-- Run by the writer for `ask_later`.
-- Promise: only the performer says that nobody performs any more.
UPDATE running
SET performing = 0, ask_after = ?3, due = coalesce(?4, due), attention = ?5, died_asking = 0
WHERE operation = ?1
  AND EXISTS (SELECT 1 FROM operations AS o
              WHERE o.key = ?1 AND o.state = 'in_progress' AND o.ticket = ?2)
