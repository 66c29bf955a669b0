-- Run by the writer before each commit and for `purge`, and when the store is opened.
-- Promise: how far this file has got is known.
SELECT max(sequence) FROM events
