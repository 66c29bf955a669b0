-- Run when the store is opened, and after a commit that failed.
-- Promise: the writer knows every proof that is on record.
SELECT number, proof FROM replay
