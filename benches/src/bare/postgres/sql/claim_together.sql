-- Run as the first of two commits of many confirms.
-- Promise: as claim.sql, of each of them.
WITH asked AS (
    SELECT id, jti FROM unnest($1::text[], $2::bytea[]) AS asked (id, jti)
), claimed AS (
    UPDATE operations AS o SET state = 1, ticket = $3, life = $3, confirmed_at = $4, approved_by = 1
    FROM asked
    WHERE o.operation_id = asked.id AND o.state = 0 AND o.revision = 1 AND o.expires_at >= $4
    RETURNING o.operation_id, asked.jti
), used AS (
    INSERT INTO replay (jti, until) SELECT jti, $4 FROM claimed
), told AS (
    INSERT INTO events (operation_id, at, kind, detail) SELECT operation_id, $4, 1, $5 FROM claimed
)
SELECT operation_id FROM claimed
