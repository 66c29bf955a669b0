-- Run by the writer for what oldest_proofs.sql found to be over.
-- Promise: a proof is remembered until its time is over, and not for ever.
DELETE FROM replay WHERE number > ?1 AND number <= ?2 AND until < ?3
