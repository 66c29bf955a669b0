-- Run by the writer for `erase`.
-- Promise: every revision is blanked.
SELECT number, digest FROM revisions WHERE operation = ?1
