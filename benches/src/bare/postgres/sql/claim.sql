-- Run as the first of two commits of a confirm, alone.
-- Promise: at most one caller moves a row from proposed to in progress, and a `jti` is accepted once.
WITH claimed AS (
    UPDATE operations SET state = 1, ticket = $3, life = $3, confirmed_at = $4, approved_by = 1
    WHERE operation_id = $1 AND state = 0 AND revision = 1 AND expires_at >= $4
    RETURNING operation_id
), used AS (
    INSERT INTO replay (jti, until) SELECT $2, $4 FROM claimed
), told AS (
    INSERT INTO events (operation_id, at, kind, detail) SELECT operation_id, $4, 1, $5 FROM claimed
)
SELECT operation_id FROM claimed
