-- The least that holds an operation: what `bare` and the prototype write, and nothing else.
CREATE TABLE operations (
    seq          INTEGER PRIMARY KEY,
    operation_id TEXT    NOT NULL UNIQUE,
    owner        TEXT    NOT NULL,
    revision     INTEGER NOT NULL,
    state        INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL,
    terms        BLOB    NOT NULL,
    summary      TEXT    NOT NULL,
    ticket       BLOB,
    life         BLOB,
    confirmed_at INTEGER,
    approved_by  INTEGER,
    result       BLOB,
    finished_at  INTEGER
) STRICT;

CREATE INDEX open_operations ON operations (confirmed_at) WHERE state = 1;

CREATE TABLE events (
    seq          INTEGER PRIMARY KEY,
    operation_id TEXT    NOT NULL,
    at           INTEGER NOT NULL,
    kind         INTEGER NOT NULL,
    detail       BLOB    NOT NULL
) STRICT;

CREATE TABLE replay (
    jti   BLOB    NOT NULL PRIMARY KEY,
    until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
