-- Run by the writer in the transaction of every change.
-- Promise: no change without its line on the record.
INSERT INTO events (operation, at, kind, detail) VALUES (?1, ?2, ?3, ?4)
