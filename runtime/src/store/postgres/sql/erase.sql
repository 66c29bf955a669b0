-- Run for `erase`, with a salt for each of a bounded number of operations; the statement is in 0001_removing.sql.
-- Promise: which operation it was, what became of it and when is all that stays, and salted digests.
SELECT e.at, e.erased, e.open, e.over
FROM pap.erase($1::bigint, $2::bigint, $3::text, $4::text, $5::text, $6::bytea[], $7::text, $8::bytea, $9::text,
               $10::text) AS e
