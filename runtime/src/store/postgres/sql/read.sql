-- Run by the reading lane for `read`, for every read that waits, and for `history`; what it runs is the function.
-- Promise: a company sees its own operations alone, as they were last written.
SELECT r.place, pap.moment($1, $2) AS now, r.found FROM pap.read($3, $4) AS r
