-- Run by the writer for `finish`, for each change that it carries.
-- Promise: a change that could not be noted before is on record with the end.
INSERT INTO notes (operation, number, kind, value, at)
SELECT ?1, 1 + coalesce(max(number), 0), 'change', ?2, ?3 FROM notes WHERE operation = ?1
