-- Run by the writer after start.sql.
-- Promise: what was started is performed by one life, and asked about when that life has ended.
UPDATE running SET life = ?2, performing = 1, ask_after = ?3 WHERE operation = ?1
