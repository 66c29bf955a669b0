-- Run by the reading lane for `read`, for every read that waits, and for `history`.
-- Promise: a company sees its own operations alone, as they were last written.
SELECT w.place, pap.moment($1, $2) AS now, s.*
FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS w (company, operation_id, place)
JOIN pap.stored AS s ON s.operation_id = w.operation_id AND s.company = w.company
