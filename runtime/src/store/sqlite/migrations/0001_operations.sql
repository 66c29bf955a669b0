-- Schema version, store id and incarnation.
CREATE TABLE meta (
    name  TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One row per operation, written when it is proposed, revised, claimed and ended. No index on a column
-- that changes. The owner, the ticket once it is there, and everything once it is final are fixed.
CREATE TABLE operations (
    key               INTEGER PRIMARY KEY,
    company           TEXT    NOT NULL,
    operation_id      TEXT    NOT NULL,
    action            TEXT    NOT NULL,
    client            TEXT    NOT NULL,
    user              TEXT    NOT NULL,
    account           TEXT,
    session           TEXT    NOT NULL,
    -- where `open_actions` has it, until it is final
    place             BLOB    CHECK (length(place) = 32),
    -- `OR` and not `IN`: a longer list would be built as a table of its own for every write
    state             TEXT    NOT NULL CHECK (
        state = 'proposed'
        OR state = 'in_progress'
        OR state = 'succeeded'
        OR state = 'failed'
        OR state = 'cancelled'
        OR state = 'expired'
    ),
    revision          INTEGER NOT NULL CHECK (revision >= 1),
    expires_at        INTEGER NOT NULL,
    ticket            BLOB    CHECK (length(ticket) = 16),
    confirmed_at      INTEGER,
    approved_by       TEXT    CHECK (approved_by = 'user' OR approved_by = 'standing_permission'),
    confirmed_client  TEXT,
    confirmed_key     TEXT,
    confirmed_session TEXT,
    confirmed_account TEXT,
    confirmed_digest  BLOB    CHECK (length(confirmed_digest) = 32),
    result_summary    TEXT,
    result_data       TEXT,
    ended_at          INTEGER,
    -- serves read.sql, claim.sql and every other statement that names one operation
    UNIQUE (operation_id, company),
    CHECK ((ended_at IS NULL) = (state IN ('proposed', 'in_progress'))),
    CHECK ((ended_at IS NULL) = (place IS NOT NULL)),
    CHECK ((ended_at IS NULL) = (result_summary IS NULL)),
    CHECK (result_data IS NULL OR result_summary IS NOT NULL),
    CHECK ((confirmed_at IS NULL) = (ticket IS NULL)),
    CHECK (confirmed_at IS NULL OR state NOT IN ('proposed', 'expired')),
    CHECK (confirmed_at IS NOT NULL OR state IN ('proposed', 'expired') OR state = 'cancelled')
) STRICT;

CREATE TRIGGER an_owner_is_fixed
BEFORE UPDATE OF key, company, operation_id, action, client, user, account, session ON operations
BEGIN
    SELECT raise(ABORT, 'the owner of an operation is fixed');
END;

CREATE TRIGGER a_ticket_is_spent_once
BEFORE UPDATE OF ticket ON operations WHEN old.ticket IS NOT NULL
BEGIN
    SELECT raise(ABORT, 'the right to perform is spent once');
END;

CREATE TRIGGER a_final_operation_is_fixed
BEFORE UPDATE ON operations WHEN old.ended_at IS NOT NULL
BEGIN
    SELECT raise(ABORT, 'a final operation never changes');
END;

CREATE TRIGGER an_open_operation_is_kept
BEFORE DELETE ON operations WHEN old.ended_at IS NULL
BEGIN
    SELECT raise(ABORT, 'an operation is kept until it is final');
END;

-- Every revision that was issued. What is performed and what is shown are read from here.
CREATE TABLE revisions (
    operation              INTEGER NOT NULL REFERENCES operations (key),
    number                 INTEGER NOT NULL CHECK (number >= 1),
    schema_version         INTEGER NOT NULL,
    full_terms             TEXT    NOT NULL,
    wire_terms             TEXT    NOT NULL,
    summary                TEXT    NOT NULL,
    digest                 BLOB    NOT NULL CHECK (length(digest) = 32),
    user_approval_required INTEGER NOT NULL CHECK (user_approval_required IN (0, 1)),
    scopes                 TEXT    NOT NULL,
    url                    TEXT,
    expires_at             INTEGER NOT NULL,
    issued_at              INTEGER NOT NULL,
    -- serves the view `stored` and revisions.sql
    UNIQUE (operation, number)
) STRICT;

CREATE TRIGGER a_revision_is_fixed
BEFORE UPDATE ON revisions
BEGIN
    SELECT raise(ABORT, 'a revision is fixed once it is issued');
END;

CREATE TRIGGER a_revision_is_kept
BEFORE DELETE ON revisions
WHEN (SELECT ended_at IS NULL FROM operations WHERE key = old.operation)
BEGIN
    SELECT raise(ABORT, 'a revision is kept until its operation is final');
END;

-- At most one open operation per owner, action and identity: `place` is a digest of company, owner, action
-- and identity. The row of a final operation is free to be taken, and is cleared in time.
CREATE TABLE open_actions (
    -- serves open_action.sql, read_open.sql and clear_places.sql
    place     BLOB    NOT NULL PRIMARY KEY CHECK (length(place) = 32),
    -- no reference: rows are found by their place, and one that names nothing is free
    operation INTEGER NOT NULL,
    request   BLOB    NOT NULL CHECK (length(request) = 32)
) STRICT, WITHOUT ROWID;

-- One row per operation in progress: the list of open work. All that recovery changes is here.
CREATE TABLE running (
    operation      INTEGER PRIMARY KEY REFERENCES operations (key),
    company        TEXT    NOT NULL,
    life           BLOB    NOT NULL CHECK (length(life) = 16),
    performing     INTEGER NOT NULL DEFAULT 1 CHECK (performing IN (0, 1)),
    epoch          INTEGER NOT NULL DEFAULT 0 CHECK (epoch >= 0),
    ask_after      INTEGER NOT NULL,
    asks           INTEGER NOT NULL DEFAULT 0 CHECK (asks >= 0),
    died_asking    INTEGER NOT NULL DEFAULT 0 CHECK (died_asking BETWEEN 0 AND 3),
    stop_requested INTEGER,
    due            INTEGER,
    attention      INTEGER NOT NULL DEFAULT 0 CHECK (attention IN (0, 1))
) STRICT;

-- One row per life of a process. A missing row and an ended one both mean dead.
CREATE TABLE lives (
    life     BLOB    NOT NULL PRIMARY KEY CHECK (length(life) = 16),
    begun_at INTEGER NOT NULL,
    ended_at INTEGER
) STRICT, WITHOUT ROWID;

-- Changes and checkpoints that performers put on record, in order.
CREATE TABLE notes (
    operation INTEGER NOT NULL REFERENCES operations (key),
    number    INTEGER NOT NULL CHECK (number >= 1),
    kind      TEXT    NOT NULL CHECK (kind IN ('change', 'checkpoint')),
    name      TEXT,
    value     TEXT    NOT NULL,
    at        INTEGER NOT NULL,
    -- serves notes.sql and the counts of the finish
    PRIMARY KEY (operation, number),
    CHECK ((kind = 'checkpoint') = (name IS NOT NULL))
) STRICT, WITHOUT ROWID;

-- serves note_checkpoint.sql (once per name) and the fence in finish_by_asker.sql
CREATE UNIQUE INDEX checkpoints ON notes (operation, name) WHERE kind = 'checkpoint';

CREATE TRIGGER a_note_is_fixed
BEFORE UPDATE ON notes
BEGIN
    SELECT raise(ABORT, 'notes are only appended');
END;

CREATE TRIGGER a_note_is_kept
BEFORE DELETE ON notes
WHEN (SELECT ended_at IS NULL FROM operations WHERE key = old.operation)
BEGIN
    SELECT raise(ABORT, 'a note is kept until its operation is final');
END;

-- The record of every change of every operation, written with the change.
CREATE TABLE events (
    sequence  INTEGER PRIMARY KEY,
    operation INTEGER NOT NULL REFERENCES operations (key),
    at        INTEGER NOT NULL,
    kind      TEXT    NOT NULL CHECK (
        kind = 'proposed'
        OR kind = 'revised'
        OR kind = 'confirmed'
        OR kind = 'change_noted'
        OR kind = 'remembered'
        OR kind = 'stop_requested'
        OR kind = 'unsettled'
        OR kind = 'asked'
        OR kind = 'ended'
        OR kind = 'late_outcome'
    ),
    detail    TEXT    NOT NULL
) STRICT;

-- serves events.sql
CREATE INDEX events_of_an_operation ON events (operation);

CREATE TRIGGER an_event_is_fixed
BEFORE UPDATE ON events
BEGIN
    SELECT raise(ABORT, 'events are only appended');
END;

CREATE TRIGGER an_event_is_kept
BEFORE DELETE ON events
WHEN (SELECT ended_at IS NULL FROM operations WHERE key = old.operation)
BEGIN
    SELECT raise(ABORT, 'an event is kept until its operation is final');
END;

-- Uses of DPoP proofs by requests that may change something, until their time is over, in the order in
-- which they came. `proof` is half a digest of thumbprint and `jti`, so that a row has one size whatever an
-- agent sends. No index: the writing thread knows which proofs are here.
CREATE TABLE replay (
    number INTEGER PRIMARY KEY,
    proof  BLOB    NOT NULL CHECK (length(proof) = 16),
    ticket BLOB    NOT NULL CHECK (length(ticket) = 16),
    until  INTEGER NOT NULL
) STRICT;

-- An operation with its latest revision and what is known while it is in progress; the order of the
-- columns is the one in which `rows.rs` takes them.
CREATE VIEW stored AS
SELECT
    o.key, o.company, o.operation_id, o.action, o.client, o.user, o.account, o.session,
    o.state, o.revision,
    o.confirmed_at, o.approved_by, o.confirmed_client, o.confirmed_key, o.confirmed_session,
    o.confirmed_account, o.confirmed_digest,
    o.result_summary, o.result_data, o.ended_at,
    r.number, r.schema_version, r.full_terms, r.wire_terms, r.summary, r.digest,
    r.user_approval_required, r.scopes, r.url, r.expires_at, r.issued_at,
    n.life, n.performing, n.epoch, n.ask_after, n.asks, n.died_asking, n.stop_requested, n.due,
    n.attention
FROM operations AS o
LEFT JOIN revisions AS r ON r.operation = o.key AND r.number = o.revision
LEFT JOIN running AS n ON n.operation = o.key;
