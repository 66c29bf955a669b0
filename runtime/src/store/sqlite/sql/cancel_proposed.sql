-- Run by the writer for `close_proposed`.
-- Promise: what was cancelled before it was confirmed can never be claimed.
UPDATE operations
SET state = 'cancelled', result_summary = ?2, ended_at = ?3, place = NULL
WHERE key = ?1 AND state = 'proposed'
