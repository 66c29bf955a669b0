-- Run by a reader for `history`.
-- Promise: every revision that was issued can be read, as it was issued.
SELECT number, schema_version, full_terms, wire_terms, summary, digest, user_approval_required, scopes,
       url, expires_at, issued_at
FROM revisions WHERE operation = ?1 ORDER BY number
