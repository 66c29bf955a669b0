-- Run by the writer for what `take_askable` took.
-- Promise: what is asked about is the row as it was raised.
SELECT * FROM stored WHERE key = ?1
