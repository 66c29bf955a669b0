-- Run by the writer for `take_releases`.
-- Promise: what waits longest to be told comes first.
SELECT operation, revision FROM releases
WHERE company = ?1 AND try_after <= ?2
ORDER BY try_after, operation, revision
LIMIT ?3
