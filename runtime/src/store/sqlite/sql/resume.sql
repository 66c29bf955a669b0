-- Run by the writer for `resume`.
-- Promise: a pause of all actions and one of a single action end separately.
DELETE FROM pauses WHERE company = ?1 AND what = ?2 AND action = ?3
