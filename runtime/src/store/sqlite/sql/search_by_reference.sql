-- Run by a reader for `search`; looks at a bounded number of operations.
-- Promise: the operations of one reference are found without reading others.
SELECT * FROM findable WHERE company = ?1 AND reference = ?4 AND key > ?2 ORDER BY key LIMIT ?3
