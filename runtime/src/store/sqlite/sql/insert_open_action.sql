-- Run by the writer for `propose`, after open_action.sql found no open one.
-- Promise: a second open operation for the same owner, action and identity is refused by its key.
INSERT INTO open_actions (company, owner, action, identity, operation, request)
VALUES (?1, ?2, ?3, ?4, ?5, ?6)
