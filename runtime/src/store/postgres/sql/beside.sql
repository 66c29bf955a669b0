-- Run for `verify`, with what `history` reads as of one moment.
-- Promise: what other tables say about an operation is compared with what it says itself.
SELECT EXISTS (SELECT FROM pap.open_actions AS a
               WHERE a.operation = o.key AND a.company = o.company) AS has_place,
       o.ticket IS NOT NULL AS has_ticket,
       EXISTS (SELECT FROM pap.expiring AS e
               WHERE e.company = o.company AND e.expires_at = o.expires_at AND e.operation = o.key)
       AS will_expire,
       EXISTS (SELECT FROM pap.running AS n
               WHERE n.operation = o.key AND n.company <> o.company) AS listed_elsewhere,
       coalesce((SELECT (n.noted, n.changes) <> (
                     (SELECT count(*) FROM pap.notes AS t WHERE t.operation = o.key),
                     (SELECT count(*) FROM pap.notes AS t
                      WHERE t.operation = o.key AND t.kind = 'change'))
                 FROM pap.running AS n WHERE n.operation = o.key), false) AS miscounted
FROM pap.operations AS o WHERE o.company = $1::text AND o.operation_id = $2::text
