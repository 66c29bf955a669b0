-- Run by the writer for each operation that askable.sql found.
-- Promise: the epoch and the counts are raised before anybody asks; the third death in a row is the last.
UPDATE running
SET epoch = epoch + 1, asks = asks + 1, died_asking = died_asking + 1, ask_after = ?3,
    attention = max(attention, died_asking + 1 >= 3)
WHERE operation = ?1 AND ask_after <= ?2 AND died_asking < 3 AND life IS NOT NULL
  AND (performing = 0
       OR NOT EXISTS (SELECT 1 FROM lives AS l WHERE l.life = running.life AND l.ended_at IS NULL))
RETURNING epoch, asks, died_asking
