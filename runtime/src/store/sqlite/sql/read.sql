-- Run by a reader for `read` and `history`.
-- Promise: a company sees its own operations alone, as they were last written.
SELECT * FROM stored WHERE operation_id = ?1 AND company = ?2
