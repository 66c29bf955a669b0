-- Run by the writer for `expire_due`, when the moment has passed and what it asked for is done.
-- Promise: a moment that has passed is looked at once.
DELETE FROM expiring WHERE company = ?1 AND expires_at = ?2 AND operation = ?3
