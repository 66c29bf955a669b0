-- Run for `purge`, a bounded number of operations at a time; the statement is in 0001_removing.sql.
-- Promise: an operation that has ended and has nothing to release goes whole, and its id with nobody.
SELECT p.removed, p.looked_at, p.last
FROM pap.purge($1::bigint, $2::bigint, $3::text, $4::text, $5::text, $6::bigint, $7::bigint, $8::bigint, $9::bytea,
               $10::text, $11::text) AS p
