-- Run by the writer for `propose` and `revise`.
-- Promise: what an approval covers is kept word for word.
INSERT INTO revisions
    (operation, number, schema_version, full_terms, wire_terms, summary, digest,
     user_approval_required, scopes, url, expires_at, issued_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
