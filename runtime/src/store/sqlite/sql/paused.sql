-- Run by the writer for `propose`.
-- Promise: what is paused for one action or for all of them is held back.
SELECT 1 FROM pauses WHERE company = ?1 AND what = ?2 AND (action = '' OR action = ?3)
