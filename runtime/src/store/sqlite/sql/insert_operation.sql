-- Run by the writer for `propose`.
-- Promise: an id is issued once.
INSERT INTO operations
    (company, operation_id, action, client, user, account, session, place, state, revision, expires_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'proposed', ?9, ?10)
