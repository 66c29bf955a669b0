-- Run by the writer for `erase`.
-- Promise: what happened and when stays; who and why does not.
UPDATE events SET detail = '{}' WHERE operation = ?1
