-- Run by a reader for `verify`.
-- Promise: what purges and erasures left behind is counted, whoever did them.
SELECT (SELECT count(*) FROM operations WHERE company = ?1 AND erased_at IS NOT NULL),
       (SELECT count(*) FROM purged WHERE company = ?1)
