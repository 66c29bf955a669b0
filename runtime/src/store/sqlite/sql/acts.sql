-- Run by a reader for `acts`.
-- Promise: a company's own acts are told, oldest first.
SELECT number, at, act, what, action, who, why, operations
FROM acts WHERE company = ?1 AND number > ?2 ORDER BY number LIMIT ?3
