-- Run for `open_work`; reads the whole list of open work of a company, and no more.
-- Promise: everything in progress is counted once, under its action.
SELECT o.action, count(*) AS in_progress, min(o.confirmed_at) AS oldest,
       count(*) FILTER (WHERE n.attention) AS attention,
       count(*) FILTER (WHERE n.life IS NULL) AS deferred,
       count(*) FILTER (WHERE n.due IS NOT NULL) AS handed_over
FROM pap.running AS n JOIN pap.operations AS o ON o.key = n.operation
WHERE n.company = $1::text
GROUP BY o.action
ORDER BY o.action
