-- Run once when a copy of the file is taken into use; reads all open actions, and no more.
-- Promise: nothing that may have been confirmed since the copy was made can be confirmed again.
SELECT o.key FROM open_actions AS a CROSS JOIN operations AS o ON o.key = a.operation
WHERE o.state = 'proposed'
