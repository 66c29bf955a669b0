-- Run once when a copy of the file is taken into use, after spend_copied_ticket.sql.
-- Promise: everything in progress is asked about, and no missing checkpoint shows that nothing was done.
UPDATE running
SET life = coalesce(life, randomblob(16)), performing = 0, ask_after = min(ask_after, ?1), died_asking = 0,
    from_copy = 1
RETURNING operation
