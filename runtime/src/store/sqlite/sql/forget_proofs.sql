-- Run by the writer now and then, a bounded number of rows at a time.
-- Promise: a proof is remembered until its time is over, and not for ever.
DELETE FROM replay
WHERE proof IN (SELECT proof FROM replay WHERE until < ?1 ORDER BY until LIMIT ?2)
