-- Run by the writer for `purge`.
-- Promise: nothing on record about an operation outlives it.
DELETE FROM notes WHERE operation = ?1
