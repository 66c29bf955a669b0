-- Run before a slice, for all operations that it may confirm.
-- Promise: none; it is what an operation costs that nobody guards.
INSERT INTO operations (operation_id, owner, revision, state, expires_at, terms, summary)
SELECT id, 'acct_1', 1, 0, 9999999999, $2, $3 FROM unnest($1::text[]) AS id
