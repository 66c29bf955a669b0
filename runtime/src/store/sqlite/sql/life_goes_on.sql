-- Run by the writer after begin_life.sql, and by a reader for `heartbeat`.
-- Promise: a life that has ended does not begin again.
SELECT ended_at IS NULL FROM lives WHERE life = ?1
