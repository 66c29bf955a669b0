-- Run before a copy of the database is taken into use; reads the open actions, the open work and the lives.
-- Promise: whoever is asked first is told how many operations it would change, and who seems to use the store.
SELECT (SELECT count(*) FROM pap.operations AS o
        WHERE o.key IN (SELECT a.operation FROM pap.open_actions AS a) AND o.state = 'proposed') AS proposed,
       (SELECT count(*) FROM pap.running) AS in_progress,
       (SELECT count(*) FROM pap.lives AS l
        WHERE l.ended_at IS NULL AND l.beat_at >= pap.moment($1, $2) - coalesce(l.dead_after, $3::bigint)) AS alive
