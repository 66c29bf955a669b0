-- Run by the writer for each release that releasable.sql found.
-- Promise: it is counted before it is told, and nobody else tells it meanwhile.
UPDATE releases SET tries = tries + 1, try_after = ?3
WHERE operation = ?1 AND revision = ?2
RETURNING why, tries
