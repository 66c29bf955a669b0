-- Run by the writer for `propose`, once for each owner tag.
-- Promise: an owner has at most one open operation for an action and identity.
SELECT o.key, o.operation_id, o.state = 'proposed' AND o.expires_at < ?2
FROM open_actions AS a JOIN operations AS o ON o.key = a.operation
WHERE a.place = ?1 AND o.ended_at IS NULL
