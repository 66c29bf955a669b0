-- Run by the writer first in every write about an operation that is there.
-- Promise: a company reaches its own operations alone.
SELECT key FROM operations WHERE operation_id = ?1 AND company = ?2
