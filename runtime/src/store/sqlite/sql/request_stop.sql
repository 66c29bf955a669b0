-- Run by the writer for `request_stop`.
-- Promise: the first request to stop stands.
UPDATE running SET stop_requested = ?2 WHERE operation = ?1 AND stop_requested IS NULL
