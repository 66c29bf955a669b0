-- The least that holds an operation, as in SQLite: what `bare` and the prototypes write, and nothing else.
CREATE TABLE IF NOT EXISTS operations (
    seq          bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    operation_id text   NOT NULL UNIQUE,
    owner        text   NOT NULL,
    revision     int    NOT NULL,
    state        int    NOT NULL,
    expires_at   bigint NOT NULL,
    terms        bytea  NOT NULL,
    summary      text   NOT NULL,
    ticket       bytea,
    life         bytea,
    confirmed_at bigint,
    approved_by  int,
    result       bytea,
    finished_at  bigint
);

CREATE INDEX IF NOT EXISTS open_operations ON operations (confirmed_at) WHERE state = 1;

CREATE TABLE IF NOT EXISTS events (
    seq          bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    operation_id text   NOT NULL,
    at           bigint NOT NULL,
    kind         int    NOT NULL,
    detail       bytea  NOT NULL
);

CREATE TABLE IF NOT EXISTS replay (
    jti   bytea  PRIMARY KEY,
    until bigint NOT NULL
);
