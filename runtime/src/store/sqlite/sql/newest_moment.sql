-- Run once when the store is opened.
-- Promise: time as this store tells it does not go back, whatever the machine's clock does.
SELECT max(coalesce((SELECT at FROM events WHERE sequence = (SELECT max(sequence) FROM events)), 0),
           coalesce((SELECT max(begun_at) FROM lives), 0),
           coalesce((SELECT max(ended_at) FROM lives), 0))
