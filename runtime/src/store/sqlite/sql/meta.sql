-- Run when the store is opened.
-- Promise: what a file is, is read from the file itself.
SELECT value FROM meta WHERE name = ?1
