-- Run by the writer for `erase`, for each revision.
-- Promise: of the words that were shown, a salted digest stays.
UPDATE revisions
SET full_terms = '', wire_terms = '', summary = '', scopes = '[]', url = NULL, digest = ?3
WHERE operation = ?1 AND number = ?2
