-- Run by the writer when insert_proof.sql found the proof on record.
-- Promise: a request that is sent again by ourselves is not taken for a replay.
SELECT ticket = ?2 FROM replay WHERE proof = ?1
