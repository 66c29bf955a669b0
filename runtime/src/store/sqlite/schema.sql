-- Schema version, store id and incarnation; `forgotten_until`: the greatest `until` that has left `replay`.
CREATE TABLE meta (
    name  TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One row per operation, written when it is proposed, revised, claimed and ended. No index on a column
-- that changes. The owner, the ticket once it is there, and everything once it is final are fixed; a final
-- one can be blanked once, which sets `erased_at`.
CREATE TABLE operations (
    key               INTEGER PRIMARY KEY,
    company           TEXT    NOT NULL,
    operation_id      TEXT    NOT NULL,
    action            TEXT    NOT NULL,
    client            TEXT    NOT NULL,
    user              TEXT    NOT NULL,
    account           TEXT,
    session           TEXT    NOT NULL,
    -- what the company calls the thing that it is about
    reference         TEXT,
    -- whether the company is told of each revision that will not be performed
    tells_release     INTEGER NOT NULL DEFAULT 0 CHECK (tells_release IN (0, 1)),
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
    -- NULL in progress: it waits to be started
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
    erased_at         INTEGER,
    erased_salt       BLOB    CHECK (length(erased_salt) = 32),
    -- serves read.sql, claim.sql and every other statement that names one operation
    UNIQUE (operation_id, company),
    CHECK ((ended_at IS NULL) = (state IN ('proposed', 'in_progress'))),
    CHECK ((ended_at IS NULL) = (place IS NOT NULL)),
    CHECK ((ended_at IS NULL) = (result_summary IS NULL)),
    CHECK (result_data IS NULL OR result_summary IS NOT NULL),
    CHECK (ticket IS NULL OR confirmed_at IS NOT NULL),
    CHECK (erased_at IS NULL OR ended_at IS NOT NULL),
    CHECK ((erased_at IS NULL) = (erased_salt IS NULL)),
    CHECK (confirmed_at IS NULL OR state NOT IN ('proposed', 'expired')),
    CHECK (confirmed_at IS NOT NULL OR state IN ('proposed', 'expired') OR state = 'cancelled')
) STRICT;

-- serve search_by_action.sql and purgeable.sql, search_by_account.sql and erasable.sql, and
-- search_by_reference.sql; each ends with the key, so in proposal order
CREATE INDEX operations_by_action ON operations (company, action);
CREATE INDEX operations_by_account ON operations (company, account) WHERE account IS NOT NULL;
CREATE INDEX operations_by_reference ON operations (company, reference) WHERE reference IS NOT NULL;

CREATE TRIGGER an_owner_is_fixed
BEFORE UPDATE OF key, company, operation_id, action, client, user, account, session, reference, tells_release
ON operations WHEN new.erased_at IS NULL OR old.erased_at IS NOT NULL
BEGIN
    SELECT raise(ABORT, 'the owner of an operation is fixed');
END;

CREATE TRIGGER a_ticket_is_spent_once
BEFORE UPDATE OF ticket ON operations WHEN old.ticket IS NOT NULL
BEGIN
    SELECT raise(ABORT, 'the right to perform is spent once');
END;

CREATE TRIGGER a_final_operation_is_fixed
BEFORE UPDATE ON operations
WHEN old.ended_at IS NOT NULL AND (new.erased_at IS NULL OR old.erased_at IS NOT NULL)
BEGIN
    SELECT raise(ABORT, 'a final operation never changes');
END;

-- What blanking leaves: which operation, what became of it and when.
CREATE TRIGGER a_final_operation_is_only_blanked
BEFORE UPDATE OF erased_at ON operations WHEN NOT (
    old.ended_at IS new.ended_at AND old.key IS new.key AND old.company IS new.company
    AND old.operation_id IS new.operation_id AND old.action IS new.action AND old.client IS new.client
    AND old.state IS new.state AND old.revision IS new.revision AND old.expires_at IS new.expires_at
    AND old.ticket IS new.ticket AND old.confirmed_at IS new.confirmed_at
    AND old.approved_by IS new.approved_by AND old.confirmed_client IS new.confirmed_client
    AND old.tells_release IS new.tells_release
    AND (old.confirmed_digest IS NULL) IS (new.confirmed_digest IS NULL)
    AND new.user IS '' AND new.account IS NULL AND new.session IS '' AND new.reference IS NULL
    AND coalesce(new.confirmed_key, '') IS '' AND coalesce(new.confirmed_session, '') IS ''
    AND new.confirmed_account IS NULL AND new.result_summary IS '' AND new.result_data IS NULL
)
BEGIN
    SELECT raise(ABORT, 'blanking an operation changes nothing else');
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
BEFORE UPDATE ON revisions WHEN NOT (
    old.full_terms IS NOT '' AND new.full_terms IS '' AND new.wire_terms IS '' AND new.summary IS ''
    AND new.scopes IS '[]' AND new.url IS NULL
    AND old.operation IS new.operation AND old.number IS new.number
    AND old.schema_version IS new.schema_version AND old.expires_at IS new.expires_at
    AND old.user_approval_required IS new.user_approval_required AND old.issued_at IS new.issued_at
    AND (SELECT erased_at IS NOT NULL FROM operations WHERE key = old.operation) IS 1
)
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
    -- NULL: it waits to be started, and nobody is asked about it
    life           BLOB    CHECK (length(life) = 16),
    performing     INTEGER NOT NULL CHECK (performing IN (0, 1)),
    epoch          INTEGER NOT NULL DEFAULT 0 CHECK (epoch >= 0),
    ask_after      INTEGER NOT NULL,
    asks           INTEGER NOT NULL DEFAULT 0 CHECK (asks >= 0),
    died_asking    INTEGER NOT NULL DEFAULT 0 CHECK (died_asking BETWEEN 0 AND 3),
    stop_requested INTEGER,
    due            INTEGER,
    attention      INTEGER NOT NULL DEFAULT 0 CHECK (attention IN (0, 1)),
    -- 1: it comes from a copy of the file, where the absence of a checkpoint shows nothing
    from_copy      INTEGER NOT NULL DEFAULT 0 CHECK (from_copy IN (0, 1)),
    CHECK (life IS NOT NULL OR performing = 0)
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
BEFORE UPDATE ON notes WHEN NOT (
    new.value IS '' AND old.operation IS new.operation AND old.number IS new.number
    AND old.kind IS new.kind AND old.name IS new.name AND old.at IS new.at
    AND (SELECT erased_at IS NOT NULL FROM operations WHERE key = old.operation) IS 1
)
BEGIN
    SELECT raise(ABORT, 'notes are only appended');
END;

CREATE TRIGGER a_note_is_kept
BEFORE DELETE ON notes
WHEN (SELECT ended_at IS NULL FROM operations WHERE key = old.operation)
BEGIN
    SELECT raise(ABORT, 'a note is kept until its operation is final');
END;

-- The record of every change of every operation, written with the change. A `gap` is of no operation: it
-- keeps the sequence from being used again after the newest events were removed.
CREATE TABLE events (
    sequence  INTEGER PRIMARY KEY,
    operation INTEGER REFERENCES operations (key),
    at        INTEGER NOT NULL,
    kind      TEXT    NOT NULL CHECK (
        kind = 'proposed'
        OR kind = 'revised'
        OR kind = 'confirmed'
        OR kind = 'started'
        OR kind = 'change_noted'
        OR kind = 'remembered'
        OR kind = 'stop_requested'
        OR kind = 'unsettled'
        OR kind = 'asked'
        OR kind = 'ended'
        OR kind = 'late_outcome'
        OR kind = 'released'
        OR kind = 'erased'
        OR kind = 'gap'
    ),
    detail    TEXT    NOT NULL,
    CHECK ((operation IS NULL) = (kind = 'gap'))
) STRICT;

-- serves events.sql
CREATE INDEX events_of_an_operation ON events (operation);

CREATE TRIGGER an_event_is_fixed
BEFORE UPDATE ON events WHEN NOT (
    new.detail IS '{}' AND old.sequence IS new.sequence AND old.operation IS new.operation
    AND old.at IS new.at AND old.kind IS new.kind
    AND (SELECT erased_at IS NOT NULL FROM operations WHERE key = old.operation) IS 1
)
BEGIN
    SELECT raise(ABORT, 'events are only appended');
END;

CREATE TRIGGER an_event_is_kept
BEFORE DELETE ON events
WHEN (SELECT ended_at IS NULL FROM operations WHERE key = old.operation)
BEGIN
    SELECT raise(ABORT, 'an event is kept until its operation is final');
END;

-- When proposals end that nobody confirms: a row for each revision, left alone by every later write and
-- removed when its moment has passed.
CREATE TABLE expiring (
    company    TEXT    NOT NULL,
    expires_at INTEGER NOT NULL,
    -- a reference would have every removal read this table through
    operation  INTEGER NOT NULL,
    -- serves expiring.sql
    PRIMARY KEY (company, expires_at, operation)
) STRICT, WITHOUT ROWID;

-- Revisions that will not be performed, until the company was told.
CREATE TABLE releases (
    operation INTEGER NOT NULL REFERENCES operations (key),
    revision  INTEGER NOT NULL CHECK (revision >= 1),
    company   TEXT    NOT NULL,
    why       TEXT    NOT NULL CHECK (why = 'expired' OR why = 'cancelled' OR why = 'revised'),
    try_after INTEGER NOT NULL,
    tries     INTEGER NOT NULL DEFAULT 0 CHECK (tries >= 0),
    -- each revision once
    PRIMARY KEY (operation, revision)
) STRICT, WITHOUT ROWID;

-- serves releasable.sql
CREATE INDEX releases_by_time ON releases (company, try_after);

-- What is held back, and by whom.
CREATE TABLE pauses (
    company TEXT    NOT NULL,
    what    TEXT    NOT NULL CHECK (what = 'proposals' OR what = 'claims'),
    -- empty: every action
    action  TEXT    NOT NULL,
    since   INTEGER NOT NULL,
    who     TEXT    NOT NULL,
    why     TEXT    NOT NULL,
    -- serves claim_unless_paused.sql and paused.sql
    PRIMARY KEY (company, what, action)
) STRICT, WITHOUT ROWID;

-- What operators did beside settling, which is in the events of an operation: numbered without gaps, company by
-- company, written with what was done. Of an erasure nothing tells whose operations they were.
CREATE TABLE acts (
    company    TEXT    NOT NULL,
    number     INTEGER NOT NULL CHECK (number >= 1),
    -- of one that is done in steps: how they find it; serves add_to_act.sql
    id         BLOB    UNIQUE CHECK (length(id) = 16),
    at         INTEGER NOT NULL,
    act        TEXT    NOT NULL CHECK (act = 'pause' OR act = 'resume' OR act = 'purge' OR act = 'erase'),
    what       TEXT    CHECK (what = 'proposals' OR what = 'claims'),
    -- NULL: every action
    action     TEXT,
    who        TEXT    NOT NULL,
    why        TEXT    NOT NULL,
    operations INTEGER NOT NULL CHECK (operations >= 0),
    -- serves acts.sql and insert_act.sql
    PRIMARY KEY (company, number),
    CHECK ((what IS NULL) = (act IN ('purge', 'erase'))),
    CHECK ((id IS NULL) = (what IS NOT NULL)),
    CHECK (action IS NULL OR act <> 'erase')
) STRICT, WITHOUT ROWID;

CREATE TRIGGER an_act_is_fixed
BEFORE UPDATE ON acts WHEN NOT (
    new.operations > old.operations AND old.id IS NOT NULL
    AND old.company IS new.company AND old.number IS new.number AND old.id IS new.id AND old.at IS new.at
    AND old.act IS new.act AND old.what IS new.what AND old.action IS new.action AND old.who IS new.who
    AND old.why IS new.why
)
BEGIN
    SELECT raise(ABORT, 'what was done stays on record as it was');
END;

CREATE TRIGGER an_act_is_kept
BEFORE DELETE ON acts
BEGIN
    SELECT raise(ABORT, 'what was done stays on record');
END;

-- Operations that were removed: neither their ids nor their places in proposal order are given again.
CREATE TABLE purged (
    key          INTEGER PRIMARY KEY,
    company      TEXT NOT NULL,
    operation_id TEXT NOT NULL,
    -- serves insert_operation.sql
    UNIQUE (operation_id, company)
) STRICT;

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
    o.result_summary, o.result_data, o.ended_at, o.reference, o.erased_at, o.erased_salt,
    r.number, r.schema_version, r.full_terms, r.wire_terms, r.summary, r.digest,
    r.user_approval_required, r.scopes, r.url, r.expires_at, r.issued_at,
    n.operation, n.life, n.performing, n.epoch, n.ask_after, n.asks, n.died_asking, n.stop_requested, n.due,
    n.attention
FROM operations AS o
LEFT JOIN revisions AS r ON r.operation = o.key AND r.number = o.revision
LEFT JOIN running AS n ON n.operation = o.key;

-- What an operator looks for an operation by; `findable.rs` takes the columns in this order.
CREATE VIEW findable AS
SELECT
    o.key, o.company, o.action, o.account, o.reference, o.state, r.issued_at, n.attention,
    n.operation IS NOT NULL
    AND (n.performing = 0
         OR NOT EXISTS (SELECT 1 FROM lives AS l WHERE l.life = n.life AND l.ended_at IS NULL))
    AS waits,
    n.ask_after
FROM operations AS o
LEFT JOIN revisions AS r ON r.operation = o.key AND r.number = 1
LEFT JOIN running AS n ON n.operation = o.key;

-- What happened, for programs that read this file: ids, kinds and moments (milliseconds since 1970).
-- Whoever has read up to a cursor goes on with
--     SELECT * FROM feed WHERE company = ? AND cursor > ? ORDER BY cursor LIMIT ?
-- and keeps the last cursor. Events become visible in the order of their cursors and none is passed over,
-- since one process writes and each transaction takes the next ones. Events of purged operations are gone.
CREATE VIEW feed AS
SELECT e.sequence AS cursor, o.company, o.operation_id AS id, e.kind, e.at
FROM events AS e JOIN operations AS o ON o.key = e.operation;
