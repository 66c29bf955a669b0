-- Run by the writer for `ask_later`.
-- Promise: only the latest asker says when to ask again, and having answered it has not died asking.
UPDATE running
SET ask_after = ?3, due = coalesce(?4, due), attention = ?5, died_asking = 0
WHERE operation = ?1 AND epoch = ?2
