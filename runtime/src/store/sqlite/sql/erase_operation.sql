-- Run by the writer for `erase`, before the rest.
-- Promise: which operation it was, what became of it and when is all that stays.
UPDATE operations
SET user = '', account = NULL, session = '', reference = NULL, confirmed_key = iif(confirmed_key IS NULL, NULL, ''),
    confirmed_session = iif(confirmed_session IS NULL, NULL, ''), confirmed_account = NULL,
    confirmed_digest = ?4, result_summary = '', result_data = NULL, erased_at = ?2, erased_salt = ?3
WHERE key = ?1
