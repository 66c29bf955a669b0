-- Run by the writer for `claim`.
-- Promise: an operation in progress is on the list of open work; without a life it waits to be started.
INSERT INTO running (operation, company, life, performing, ask_after)
VALUES (?1, ?2, ?3, ?3 IS NOT NULL, ?4)
