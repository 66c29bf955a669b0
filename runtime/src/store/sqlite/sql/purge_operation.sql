-- Run by the writer for `purge`, after everything that names it is removed.
-- Promise: an operation that was removed is gone whole.
DELETE FROM operations WHERE key = ?1
