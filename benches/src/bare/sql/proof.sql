-- Run in the first commit of a confirm.
-- Promise: a `jti` is accepted once.
INSERT INTO replay (jti, until) VALUES (?1, ?2)
