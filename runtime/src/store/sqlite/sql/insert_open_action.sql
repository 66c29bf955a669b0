-- Run by the writer for `propose`, after open_action.sql found no open one.
-- Promise: a second open operation in one place is refused; the place of a final one is taken.
INSERT INTO open_actions AS a (place, operation, request) VALUES (?1, ?2, ?3)
ON CONFLICT (place) DO UPDATE SET operation = excluded.operation, request = excluded.request
WHERE NOT EXISTS (SELECT 1 FROM operations AS o WHERE o.key = a.operation AND o.ended_at IS NULL)
