-- Run by the writer whenever an operation becomes final.
-- Promise: a final operation does not stand in the way of a new one.
DELETE FROM open_actions WHERE operation = ?1
