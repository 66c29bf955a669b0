-- Run by the writer for `record_late` and by a reader for `history`.
-- Promise: a company reaches its own operations alone.
SELECT key FROM operations WHERE operation_id = ?1 AND company = ?2
