-- Run in both commits of a confirm.
-- Promise: none; a row of the size of an event.
INSERT INTO events (operation_id, at, kind, detail) VALUES (?1, ?2, ?3, ?4)
