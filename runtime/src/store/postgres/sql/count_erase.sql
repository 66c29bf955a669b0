-- Run for `count` before an erasure.
-- Promise: what is counted is what erase.sql would blank.
SELECT count(*) FILTER (WHERE f.over) AS would, count(*) FILTER (WHERE NOT f.over) AS open
FROM (SELECT o.ended_at IS NOT NULL AND NOT EXISTS (
          SELECT FROM pap.releases AS n WHERE n.operation = o.key) AS over
      FROM pap.operations AS o WHERE o.company = $1::text AND o.account = $2::text) AS f
