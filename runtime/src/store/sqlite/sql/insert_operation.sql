-- Run by the writer for `propose`.
-- Promise: an id is issued once, also when its operation was removed, and so is a place in proposal order.
INSERT INTO operations
    (key, company, operation_id, action, client, user, account, session, state, revision, expires_at,
     reference, tells_release)
SELECT
    1 + max(coalesce((SELECT max(key) FROM operations), 0), coalesce((SELECT max(key) FROM purged), 0)),
    ?1, ?2, ?3, ?4, ?5, ?6, ?7, 'proposed', ?8, ?9, ?10, ?11
WHERE NOT EXISTS (SELECT 1 FROM purged WHERE operation_id = ?2 AND company = ?1)
