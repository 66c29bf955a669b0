-- Run by a reader for `search`; looks at a bounded number of operations.
-- Promise: the operations of one action are found without reading others.
SELECT * FROM findable WHERE company = ?1 AND action = ?4 AND key > ?2 ORDER BY key LIMIT ?3
