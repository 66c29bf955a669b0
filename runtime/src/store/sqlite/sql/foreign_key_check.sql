-- Run by a reader for `verify`.
-- Promise: a row about an operation that is not there is found.
SELECT "table" FROM pragma_foreign_key_check
