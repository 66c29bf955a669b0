-- Run by the writer for `close_proposed`, and for `propose` if what has expired has the new one's place.
-- Promise: an operation expires only after the last moment at which it could be confirmed.
UPDATE operations
SET state = 'expired', result_summary = ?2, ended_at = ?3, place = NULL
WHERE key = ?1 AND state = 'proposed' AND expires_at < ?3
