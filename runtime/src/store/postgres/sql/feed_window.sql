-- Run for `feed` when a window was read to its end.
-- Promise: every transaction below the end of a window has ended, so what it wrote is visible or never.
SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS ended_below
