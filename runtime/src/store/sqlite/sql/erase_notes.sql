-- Run by the writer for `erase`.
-- Promise: what was noted is not told any more.
UPDATE notes SET value = '' WHERE operation = ?1
