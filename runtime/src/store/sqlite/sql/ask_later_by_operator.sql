-- Run by the writer for `ask_later`.
-- Promise: an operator has nobody asked about what waits to be started or what somebody may still perform.
UPDATE running
SET ask_after = ?2, due = coalesce(?3, due), attention = ?4, died_asking = 0
WHERE operation = ?1 AND life IS NOT NULL
  AND (performing = 0
       OR NOT EXISTS (SELECT 1 FROM lives AS l WHERE l.life = running.life AND l.ended_at IS NULL))
