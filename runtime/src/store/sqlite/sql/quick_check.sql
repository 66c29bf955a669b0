-- Run by a reader for `verify`.
-- Promise: a damaged page is found, whatever is on it.
SELECT quick_check FROM pragma_quick_check
