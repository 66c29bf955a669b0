-- Run by the writer for the places that some_places.sql found.
-- Promise: the place of an operation that is open is never cleared.
DELETE FROM open_actions AS a
WHERE a.place > ?1 AND a.place <= ?2
  AND NOT EXISTS (SELECT 1 FROM operations AS o WHERE o.key = a.operation AND o.ended_at IS NULL)
