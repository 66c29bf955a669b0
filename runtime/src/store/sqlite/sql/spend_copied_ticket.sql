-- Run once when a copy of the file is taken into use.
-- Promise: what waited to be started when the copy was made may have been started since: nobody starts it.
UPDATE operations SET ticket = randomblob(16)
WHERE ticket IS NULL AND key IN (SELECT operation FROM running WHERE life IS NULL)
