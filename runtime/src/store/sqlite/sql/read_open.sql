-- Run by a reader for `find_open`, once for each owner tag.
-- Promise: the same action raised again finds its open operation; one that has expired is not open.
SELECT a.request, s.*
FROM open_actions AS a CROSS JOIN stored AS s ON s.key = a.operation
WHERE a.place = ?1 AND s.ended_at IS NULL AND (s.state <> 'proposed' OR s.expires_at >= ?2)
