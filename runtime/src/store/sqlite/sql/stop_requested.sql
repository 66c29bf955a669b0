-- Run by the writer when request_stop.sql changed nothing.
-- Promise: asking again to stop is answered like the first time.
SELECT stop_requested FROM running WHERE operation = ?1
