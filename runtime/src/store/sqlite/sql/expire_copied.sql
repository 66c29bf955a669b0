-- Run for each operation that copied_proposals.sql found.
-- Promise: it can not be confirmed any more, whatever its time.
UPDATE operations SET state = 'expired', result_summary = ?2, ended_at = ?3
WHERE key = ?1 AND state = 'proposed'
