-- Run by the writer for `start`.
-- Promise: the right to perform what waits to be started is spent once, and never after a stop was asked.
UPDATE operations
SET ticket = ?2
WHERE key = ?1 AND state = 'in_progress' AND ticket IS NULL
  AND EXISTS (SELECT 1 FROM running AS n
              WHERE n.operation = ?1 AND n.epoch = 0 AND n.stop_requested IS NULL)
