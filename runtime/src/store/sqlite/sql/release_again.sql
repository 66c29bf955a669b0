-- Run by the writer for `end_release`.
-- Promise: what could not be told is told again.
UPDATE releases SET try_after = ?3 WHERE operation = ?1 AND revision = ?2
