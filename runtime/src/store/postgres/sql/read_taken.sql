-- Run after take_askable.sql for what it took, in the order in which it has waited.
-- Promise: what is asked about is the row as it was raised.
SELECT s.* FROM pap.stored AS s WHERE s.key = ANY ($1::bigint[])
