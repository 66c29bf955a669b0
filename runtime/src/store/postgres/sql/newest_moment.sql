-- Run once when a store connects, and when its clock is measured again.
-- Promise: time as this store tells it does not go back behind what is on record.
SELECT greatest((SELECT e.at FROM pap.events AS e ORDER BY e.xid DESC, e.sequence DESC LIMIT 1),
                (SELECT max(greatest(l.beat_at, l.ended_at)) FROM pap.lives AS l), 0) AS newest,
       pap.moment(NULL, 0) AS now
