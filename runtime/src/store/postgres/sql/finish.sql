-- Run by the finishing lane for `finish`, for every finish that waits; the statement is that of the function.
-- Promise: who may ends an operation once, every change on record told, behind no fence that was passed.
SELECT at, is_ended
FROM pap.finish($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
