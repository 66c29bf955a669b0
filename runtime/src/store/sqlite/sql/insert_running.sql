-- Run by the writer for `claim`.
-- Promise: an operation in progress is on the list of open work.
INSERT INTO running (operation, company, life, ask_after) VALUES (?1, ?2, ?3, ?4)
