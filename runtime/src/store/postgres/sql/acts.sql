-- Run for `acts`.
-- Promise: a company's own acts are told, oldest first.
SELECT number, at, act, what, action, who, why, operations
FROM pap.acts WHERE company = $1::text AND number > $2::bigint ORDER BY number LIMIT $3::bigint
