-- Run by the writer when it begins, and after each commit while anything was paused.
-- Promise: a pause is never taken for over while it is on record.
SELECT EXISTS (SELECT 1 FROM pauses)
