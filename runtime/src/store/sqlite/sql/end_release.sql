-- Run by the writer for `end_release`.
-- Promise: what was told is not told again.
DELETE FROM releases WHERE operation = ?1 AND revision = ?2
