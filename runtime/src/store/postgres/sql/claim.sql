-- Run by the confirming lane for `claim`, for every claim that waits; the statement is that of the function.
-- Promise: at most one ticket moves an operation from proposed to in_progress, for its latest revision.
SELECT at, is_claimed, is_replayed, number
FROM pap.claim($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
