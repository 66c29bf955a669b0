-- Run once when the store is opened, under its lock, after earlier lives have ended.
-- Promise: a question that a dead process took and never answered does not wait for its lease to end.
UPDATE running SET ask_after = ?1 WHERE died_asking > 0 AND ask_after > ?1
