-- Run as the first of two commits of many confirms.
-- Promise: as claim.sql, of each of them. By `ANY` and no join, which is planned as one through the whole table.
WITH claimed AS (
    UPDATE operations SET state = 1, ticket = $3, life = $3, confirmed_at = $4, approved_by = 1
    WHERE operation_id = ANY($1::text[]) AND state = 0 AND revision = 1 AND expires_at >= $4
    RETURNING operation_id
), used AS (
    INSERT INTO replay (jti, until)
    SELECT jti, $4 FROM unnest($1::text[], $2::bytea[]) AS asked (id, jti) JOIN claimed ON operation_id = id
), told AS (
    INSERT INTO events (operation_id, at, kind, detail) SELECT operation_id, $4, 1, $5 FROM claimed
)
SELECT operation_id FROM claimed
