-- Run for `purge`, a bounded number of operations at a time; the statement is in 0001_removing.sql.
-- Promise: an operation that has ended and has nothing to release goes whole, and its id with nobody.
SELECT p.removed, p.looked_at, p.last
FROM pap.purge($1::text, $2::text, $3::text, $4::bigint, $5::bigint, $6::bigint) AS p
