-- Run by the writer before it appends a note.
-- Promise: notes are numbered in the order in which they were noted.
SELECT 1 + coalesce(max(number), 0) FROM notes WHERE operation = ?1
