-- Run by a reader for each release that was taken.
-- Promise: what is released is told as it was issued.
SELECT number, schema_version, full_terms, wire_terms, summary, digest, user_approval_required, scopes,
       url, expires_at, issued_at
FROM revisions WHERE operation = ?1 AND number = ?2
