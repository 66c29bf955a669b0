-- Run for `verify`, after the acts were read.
-- Promise: what was removed is counted, whoever did it.
SELECT count(*) FROM pap.purged AS p WHERE p.company = $1::text
