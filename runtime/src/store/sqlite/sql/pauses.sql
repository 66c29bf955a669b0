-- Run by a reader for `pauses`.
-- Promise: everything that is held back is told, oldest first.
SELECT what, action, since, who, why FROM pauses WHERE company = ?1 ORDER BY since, what, action
