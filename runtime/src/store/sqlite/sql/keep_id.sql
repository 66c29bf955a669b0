-- Run by the writer for `purge`, before an operation is removed.
-- Promise: the id of an operation that was removed is not issued again.
INSERT INTO purged (key, company, operation_id) SELECT key, company, operation_id FROM operations WHERE key = ?1
