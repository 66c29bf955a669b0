-- Run by the writer for `revise`.
-- Promise: the request on record is the one that led to the latest revision.
UPDATE open_actions SET request = ?2
WHERE place = (SELECT place FROM operations WHERE key = ?1)
