-- Run by the writer for `begin_life`.
-- Promise: a life is on record before a claim names it.
INSERT INTO lives (life, begun_at) VALUES (?1, ?2) ON CONFLICT (life) DO NOTHING
