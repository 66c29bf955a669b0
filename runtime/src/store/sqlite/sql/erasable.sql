-- Run by the writer for `erase`, by a reader for `count`; looks at all of the account that was not blanked yet.
-- Promise: what is in progress, proposed or still to be released stays as it is.
SELECT o.key,
       o.ended_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM releases AS r WHERE r.operation = o.key),
       o.confirmed_digest
FROM operations AS o
WHERE o.company = ?1 AND o.account = ?2
ORDER BY o.key
