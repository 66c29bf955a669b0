-- Run by a reader for `verify`.
-- Promise: what other tables say about an operation is compared with what it says itself.
SELECT EXISTS (SELECT 1 FROM open_actions AS a WHERE a.operation = o.key AND a.company = o.company),
       o.ticket IS NOT NULL,
       EXISTS (SELECT 1 FROM expiring AS e
               WHERE e.company = o.company AND e.expires_at = o.expires_at AND e.operation = o.key),
       EXISTS (SELECT 1 FROM running AS n WHERE n.operation = o.key AND n.company <> o.company)
FROM operations AS o WHERE o.key = ?1
