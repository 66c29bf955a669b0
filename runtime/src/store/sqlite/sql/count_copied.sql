-- Run before a copy of the file is taken into use; reads all open actions and the list of open work, and no more.
-- Promise: whoever is asked first is told how many operations it would change.
SELECT (SELECT count(*) FROM open_actions AS a CROSS JOIN operations AS o ON o.key = a.operation
        WHERE o.state = 'proposed'),
       (SELECT count(*) FROM running)
