-- Run by the writer for `pause`.
-- Promise: pausing what is paused keeps the first.
INSERT INTO pauses (company, what, action, since, who, why) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT (company, what, action) DO NOTHING
