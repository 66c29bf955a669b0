-- Run by a reader for `history`.
-- Promise: the record of an operation is complete and in order.
SELECT sequence, at, kind, detail FROM events WHERE operation = ?1 ORDER BY sequence
