-- Run by a reader for `verify`, a bounded number at a time.
-- Promise: every operation is looked at.
SELECT key, operation_id, company = ?3 FROM operations WHERE key > ?1 ORDER BY key LIMIT ?2
