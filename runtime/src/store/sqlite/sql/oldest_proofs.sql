-- Run by the writer now and then, a bounded number of rows at a time; those up to the first number are passed over.
-- Promise: those that came first are forgotten first.
SELECT number, proof, until FROM replay WHERE number > ?1 ORDER BY number LIMIT ?2
