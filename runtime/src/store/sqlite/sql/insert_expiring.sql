-- Run by the writer for `propose` and `revise`.
-- Promise: the end of every revision that nobody confirms is found.
INSERT INTO expiring (company, expires_at, operation) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING
