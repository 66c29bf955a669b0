-- Run by the writer for `pause` and `resume`, and for the first step of `purge` and `erase` that does something.
-- Promise: what was done is on record with it, numbered without gaps.
INSERT INTO acts (company, number, id, at, act, what, action, who, why, operations)
VALUES (?1, 1 + coalesce((SELECT a.number FROM acts AS a WHERE a.company = ?1 ORDER BY a.number DESC LIMIT 1), 0),
        ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
