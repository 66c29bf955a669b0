-- Run once when the store is opened.
-- Promise: time as this store tells it does not go back, whatever the machine's clock does.
SELECT max(coalesce((SELECT at FROM events ORDER BY sequence DESC LIMIT 1), 0),
           coalesce((SELECT max(max(begun_at, coalesce(ended_at, 0))) FROM lives), 0))
