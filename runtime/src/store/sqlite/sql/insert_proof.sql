-- Run by the writer first in every request that carries a proof which it does not know.
-- Promise: a proof is accepted once, whatever its request decides.
INSERT INTO replay (proof, ticket, until) VALUES (?1, ?2, ?3)
