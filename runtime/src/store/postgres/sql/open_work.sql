-- Run for `open_work`; reads the whole list of open work of a company, and no more.
-- Promise: everything in progress is counted once, under its action.
SELECT o.action, count(*) AS in_progress, min(o.confirmed_at) AS oldest,
       count(*) FILTER (
           WHERE n.attention OR (n.ask_after < pap.moment($1, $2) - $4::bigint AND (
               NOT n.performing OR NOT EXISTS (
                   SELECT FROM pap.lives AS l WHERE l.life = n.life AND l.ended_at IS NULL)))
       ) AS attention,
       count(*) FILTER (WHERE n.life IS NULL) AS deferred,
       count(*) FILTER (WHERE n.due IS NOT NULL) AS handed_over
FROM pap.running AS n JOIN pap.operations AS o ON o.key = n.operation
WHERE n.company = $3::text
GROUP BY o.action
ORDER BY o.action
