-- Run by the writer for a claim whose answer reached nobody.
-- Promise: what nobody may perform can be asked about at once.
UPDATE running
SET performing = 0, ask_after = min(ask_after, ?4)
WHERE operation = (SELECT key FROM operations
                   WHERE operation_id = ?1 AND company = ?2 AND state = 'in_progress' AND ticket = ?3)
