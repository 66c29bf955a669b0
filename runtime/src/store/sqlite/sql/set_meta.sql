-- Run when the store is opened, and after a commit that failed.
-- Promise: what a file is, is written with what it holds.
INSERT INTO meta (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = excluded.value
