-- Run as the first of two commits of a confirm.
-- Promise: at most one caller moves a row from proposed to in progress.
UPDATE operations SET state = 1, ticket = ?2, life = ?4, confirmed_at = ?3, approved_by = 1
WHERE operation_id = ?1 AND state = 0 AND revision = 1 AND expires_at >= ?3
