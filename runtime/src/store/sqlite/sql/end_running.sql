-- Run by the writer for `finish`.
-- Promise: a final operation is not asked about.
DELETE FROM running WHERE operation = ?1
