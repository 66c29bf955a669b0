-- Run by a reader for `search`; looks at a bounded number of operations, whosever they are.
-- Promise: every operation is found in proposal order.
SELECT * FROM findable WHERE key > ?2 ORDER BY key LIMIT ?3
