-- Run once when the store is opened, under its lock.
-- Promise: no process of an earlier opening is taken for living.
UPDATE lives SET ended_at = ?1 WHERE ended_at IS NULL
