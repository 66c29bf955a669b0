-- Run by a reader for `open_work`; reads the whole list of open work, and no more.
-- Promise: everything in progress is counted once, under its action.
SELECT o.action, count(*), min(o.confirmed_at), sum(n.attention OR (n.performing = 0 AND n.ask_after < ?2)), sum(n.life IS NULL),
       sum(n.due IS NOT NULL)
FROM running AS n CROSS JOIN operations AS o ON o.key = n.operation
WHERE n.company = ?1
GROUP BY o.action
ORDER BY o.action
