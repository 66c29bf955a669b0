-- Run for `verify`, before the acts are read.
-- Promise: what is blanked is counted, whoever did it.
SELECT count(*) FROM pap.operations AS o WHERE o.company = $1::text AND o.erased_at IS NOT NULL
