-- Run by the writer when it knows the proof.
-- Promise: a request that is sent again by ourselves is not taken for a replay.
SELECT ticket = ?2 FROM replay WHERE number = ?1
