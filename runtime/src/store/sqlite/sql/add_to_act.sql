-- Run by the writer for each further step of `purge` and `erase` that does something.
-- Promise: an act tells of as much as was done.
UPDATE acts SET operations = operations + ?3 WHERE id = ?2 AND company = ?1
