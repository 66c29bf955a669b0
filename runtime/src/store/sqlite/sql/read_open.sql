-- Run by a reader for `find_open`, once for each owner tag.
-- Promise: the same action raised again finds its open operation; one that has expired is not open.
SELECT a.request, s.*
FROM open_actions AS a CROSS JOIN stored AS s ON s.key = a.operation
WHERE a.company = ?1 AND a.owner = ?2 AND a.action = ?3 AND a.identity = ?4
  AND (s.state <> 'proposed' OR s.expires_at >= ?5)
