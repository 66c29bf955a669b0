-- Run for `pauses`.
-- Promise: everything that is held back is told, oldest first.
SELECT what, action, since, who, why FROM pap.pauses WHERE company = $1::text
ORDER BY since, what, action
