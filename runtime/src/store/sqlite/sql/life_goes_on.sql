-- Run by the writer after begin_life.sql.
-- Promise: a life that has ended does not begin again.
SELECT ended_at IS NULL FROM lives WHERE life = ?1
