-- Run by the writer whenever a proposal ends, and for `revise` with the revision before.
-- Promise: whoever asked to be told is told of each revision that will not be performed, once on record.
INSERT INTO releases (operation, revision, company, why, try_after)
SELECT key, coalesce(?2, revision), company, ?3, ?4 FROM operations WHERE key = ?1 AND tells_release = 1
