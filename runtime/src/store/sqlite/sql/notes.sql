-- Run by a reader for `history` and by the writer for `take_askable`.
-- Promise: changes and checkpoints come back in the order in which they were noted.
SELECT kind, name, value, at FROM notes WHERE operation = ?1 ORDER BY number
