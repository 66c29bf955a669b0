-- Run by the writer for `finish`, for each change that it carries.
-- Promise: a change that could not be noted before is on record with the end.
INSERT INTO notes (operation, number, kind, value, at) VALUES (?1, ?2, 'change', ?3, ?4)
