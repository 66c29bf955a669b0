-- Run for `history`.
-- Promise: every revision that was issued can be read, as it was issued.
SELECT r.number, r.schema_version, r.full_terms, r.wire_terms, r.summary, r.digest,
       r.user_approval_required, r.scopes, r.url, r.expires_at, r.issued_at
FROM pap.operations AS o JOIN pap.revisions AS r ON r.operation = o.key
WHERE o.operation_id = $2::text AND o.company = $1::text ORDER BY r.number
