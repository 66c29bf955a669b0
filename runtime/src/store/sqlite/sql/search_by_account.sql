-- Run by a reader for `search`; looks at a bounded number of operations.
-- Promise: the operations of one account are found without reading others.
SELECT * FROM findable WHERE company = ?1 AND account = ?4 AND key > ?2 ORDER BY key LIMIT ?3
