-- Run by the writer now and then, a bounded number of rows at a time.
-- Promise: those that came first are forgotten first.
SELECT number, proof, until FROM replay ORDER BY number LIMIT ?1
