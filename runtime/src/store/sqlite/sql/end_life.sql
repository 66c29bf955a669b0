-- Run by the writer for `end_life`.
-- Promise: what an ended life held can be asked about.
UPDATE lives SET ended_at = ?2 WHERE life = ?1 AND ended_at IS NULL
