-- Run by the writer before an outcome that came late is put on record.
-- Promise: what was blanked gets no words afterwards.
SELECT erased_at IS NOT NULL FROM operations WHERE key = ?1
