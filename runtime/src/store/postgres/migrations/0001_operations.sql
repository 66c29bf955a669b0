-- Schema version, the oldest version that still works on these tables, store id and incarnation.
CREATE TABLE pap.meta (
    name  text NOT NULL PRIMARY KEY,
    value text NOT NULL
);

-- The moment by which a statement decides, in milliseconds: the server's clock, never before the moment
-- that the caller has seen already; or the moment that a test tells.
CREATE FUNCTION pap.moment(told bigint, seen bigint) RETURNS bigint
LANGUAGE sql VOLATILE AS $$
    SELECT coalesce(told, greatest(seen, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint))
$$;

-- Refuses what a trigger's condition found.
CREATE FUNCTION pap.refuse() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION USING ERRCODE = 'raise_exception', MESSAGE = TG_ARGV[0];
END
$$;

-- Refuses to delete what belongs to an operation that is not final.
CREATE FUNCTION pap.refuse_while_open() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM pap.operations WHERE key = old.operation AND ended_at IS NULL;
    IF FOUND THEN
        RAISE EXCEPTION USING ERRCODE = 'raise_exception', MESSAGE = TG_ARGV[0];
    END IF;
    RETURN old;
END
$$;

-- Keys in the order of proposals.
CREATE SEQUENCE pap.operation_keys AS bigint;

-- One row per operation, written when it is proposed, revised, claimed and ended. No index on a column
-- that changes, and room in each page: then a change stays in its page and touches no index. The owner,
-- the ticket once it is there, and everything once it is final are fixed, but for what an erasure blanks.
CREATE TABLE pap.operations (
    key               bigint   NOT NULL PRIMARY KEY DEFAULT nextval('pap.operation_keys'),
    company           text     NOT NULL,
    operation_id      text     NOT NULL,
    action            text     NOT NULL,
    client            text     NOT NULL,
    "user"            text     NOT NULL,
    account           text,
    session           text     NOT NULL,
    reference         text,
    tells_release     boolean  NOT NULL DEFAULT false,
    state             text     NOT NULL CHECK (
        state IN ('proposed', 'in_progress', 'succeeded', 'failed', 'cancelled', 'expired')
    ),
    revision          integer  NOT NULL CHECK (revision >= 1),
    expires_at        bigint   NOT NULL,
    ticket            bytea    CHECK (octet_length(ticket) = 16),
    confirmed_at      bigint,
    approved_by       text     CHECK (approved_by IN ('user', 'standing_permission')),
    confirmed_client  text,
    confirmed_key     text,
    confirmed_session text,
    confirmed_account text,
    confirmed_digest  bytea    CHECK (octet_length(confirmed_digest) = 32),
    result_summary    text,
    result_data       text,
    ended_at          bigint,
    erased_at         bigint,
    -- serves read.sql, claim.sql and every other statement that names one operation
    UNIQUE (operation_id, company),
    CHECK ((ended_at IS NULL) = (state IN ('proposed', 'in_progress'))),
    CHECK ((ended_at IS NULL) = (result_summary IS NULL)),
    CHECK (result_data IS NULL OR result_summary IS NOT NULL),
    CHECK (ticket IS NULL OR confirmed_at IS NOT NULL),
    CHECK (confirmed_at IS NULL OR state NOT IN ('proposed', 'expired')),
    CHECK (confirmed_at IS NOT NULL OR state IN ('proposed', 'expired', 'cancelled')),
    CHECK (erased_at IS NULL OR ended_at IS NOT NULL)
) WITH (fillfactor = 60);

-- serve search.sql and erase.sql
CREATE INDEX operations_by_account ON pap.operations (company, account, key) WHERE account IS NOT NULL;
CREATE INDEX operations_by_reference ON pap.operations (company, reference, key) WHERE reference IS NOT NULL;
-- serves search.sql and purge.sql
CREATE INDEX operations_by_action ON pap.operations (company, action, key);

CREATE TRIGGER an_owner_is_fixed
BEFORE UPDATE OF key, company, operation_id, action, client, "user", account, session, reference
ON pap.operations FOR EACH ROW WHEN (new.erased_at IS NOT DISTINCT FROM old.erased_at)
EXECUTE FUNCTION pap.refuse('the owner of an operation is fixed');

CREATE TRIGGER a_ticket_is_spent_once
BEFORE UPDATE OF ticket ON pap.operations FOR EACH ROW WHEN (old.ticket IS NOT NULL)
EXECUTE FUNCTION pap.refuse('the right to perform is spent once');

CREATE TRIGGER a_final_operation_is_fixed
BEFORE UPDATE ON pap.operations FOR EACH ROW
WHEN (old.ended_at IS NOT NULL
      AND (new.erased_at IS NOT DISTINCT FROM old.erased_at
           OR (new.state, new.ended_at, new.confirmed_at, new.revision)
               IS DISTINCT FROM (old.state, old.ended_at, old.confirmed_at, old.revision)))
EXECUTE FUNCTION pap.refuse('a final operation never changes');

CREATE TRIGGER an_open_operation_is_kept
BEFORE DELETE ON pap.operations FOR EACH ROW WHEN (old.ended_at IS NULL)
EXECUTE FUNCTION pap.refuse('an operation is kept until it is final');

-- Every revision that was issued. What is performed and what is shown are read from here. An erasure
-- blanks the words and keeps their digest, mixed with a salt that nobody can guess.
CREATE TABLE pap.revisions (
    operation              bigint  NOT NULL REFERENCES pap.operations (key),
    number                 integer NOT NULL CHECK (number >= 1),
    schema_version         bigint  NOT NULL,
    full_terms             text    NOT NULL,
    wire_terms             text    NOT NULL,
    summary                text    NOT NULL,
    digest                 bytea   NOT NULL CHECK (octet_length(digest) = 32),
    salt                   bytea   CHECK (octet_length(salt) = 32),
    user_approval_required boolean NOT NULL,
    scopes                 text    NOT NULL,
    url                    text,
    expires_at             bigint  NOT NULL,
    issued_at              bigint  NOT NULL,
    -- serves the view `stored` and revisions.sql
    PRIMARY KEY (operation, number)
);

CREATE TRIGGER a_revision_is_fixed
BEFORE UPDATE ON pap.revisions FOR EACH ROW WHEN (new.salt IS NULL OR old.salt IS NOT NULL)
EXECUTE FUNCTION pap.refuse('a revision is fixed once it is issued');

CREATE TRIGGER a_revision_is_kept
BEFORE DELETE ON pap.revisions FOR EACH ROW
EXECUTE FUNCTION pap.refuse_while_open('a revision is kept until its operation is final');

-- At most one open operation per owner, action and identity.
CREATE TABLE pap.open_actions (
    company   text   NOT NULL,
    owner     text   NOT NULL,
    action    text   NOT NULL,
    identity  bytea  NOT NULL CHECK (octet_length(identity) = 32),
    -- unique: serves finish.sql, close_proposed.sql and revise.sql
    operation bigint NOT NULL UNIQUE REFERENCES pap.operations (key),
    request   bytea  NOT NULL CHECK (octet_length(request) = 32),
    -- serves propose.sql and find_open.sql
    PRIMARY KEY (company, owner, action, identity)
);

-- One row per operation in progress: the list of open work. All that recovery changes is here, and how
-- many notes there are, so that a note and a finish meet on one row. `life` is null while nobody has begun.
CREATE TABLE pap.running (
    operation      bigint  NOT NULL PRIMARY KEY,
    company        text    NOT NULL,
    life           bytea   CHECK (octet_length(life) = 16),
    performing     boolean NOT NULL DEFAULT true,
    epoch          integer NOT NULL DEFAULT 0 CHECK (epoch >= 0),
    ask_after      bigint  NOT NULL,
    asks           integer NOT NULL DEFAULT 0 CHECK (asks >= 0),
    died_asking    integer NOT NULL DEFAULT 0 CHECK (died_asking BETWEEN 0 AND 3),
    stop_requested bigint,
    due            bigint,
    attention      boolean NOT NULL DEFAULT false,
    noted          integer NOT NULL DEFAULT 0 CHECK (noted >= 0),
    changes        integer NOT NULL DEFAULT 0 CHECK (changes BETWEEN 0 AND noted)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);

-- One row per life of a process. A missing row and an ended one both mean dead.
CREATE TABLE pap.lives (
    life     bytea  NOT NULL PRIMARY KEY CHECK (octet_length(life) = 16),
    begun_at bigint NOT NULL,
    beat_at  bigint NOT NULL,
    ended_at bigint
) WITH (fillfactor = 50);

-- Changes and checkpoints that performers put on record, in order.
CREATE TABLE pap.notes (
    operation bigint  NOT NULL REFERENCES pap.operations (key),
    number    integer NOT NULL CHECK (number >= 1),
    kind      text    NOT NULL CHECK (kind IN ('change', 'checkpoint')),
    name      text,
    value     text    NOT NULL,
    at        bigint  NOT NULL,
    -- serves notes.sql
    PRIMARY KEY (operation, number),
    CHECK ((kind = 'checkpoint') = (name IS NOT NULL))
);

-- serves write_note.sql (once per name) and the fence in finish.sql
CREATE UNIQUE INDEX checkpoints ON pap.notes (operation, name) WHERE kind = 'checkpoint';

CREATE TRIGGER a_note_is_kept
BEFORE DELETE ON pap.notes FOR EACH ROW
EXECUTE FUNCTION pap.refuse_while_open('a note is kept until its operation is final');

-- The record of every change of every operation, written with the change. `xid` is the transaction that
-- wrote it: who follows the record reads up to the oldest one that still runs, and misses nothing.
CREATE TABLE pap.events (
    sequence  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    operation bigint NOT NULL,
    at        bigint NOT NULL,
    xid       xid8   NOT NULL DEFAULT pg_current_xact_id(),
    kind      text   NOT NULL,
    detail    text   NOT NULL
);

-- serves events.sql
CREATE INDEX events_of_an_operation ON pap.events (operation);
-- serves feed.sql
CREATE INDEX events_by_transaction ON pap.events (xid, sequence);

CREATE TRIGGER an_event_is_kept
BEFORE DELETE ON pap.events FOR EACH ROW
EXECUTE FUNCTION pap.refuse_while_open('an event is kept until its operation is final');

-- Uses of DPoP proofs by requests that may change something, until their time is over. `proof` is a
-- digest of thumbprint and `jti`, so that a row has one size whatever an agent sends.
CREATE TABLE pap.replay (
    proof  bytea  NOT NULL PRIMARY KEY CHECK (octet_length(proof) = 32),
    ticket bytea  NOT NULL CHECK (octet_length(ticket) = 16),
    until  bigint NOT NULL
);

-- serves forget_proofs.sql
CREATE INDEX replay_by_end ON pap.replay (until);

-- When to look whether a proposal has expired: a row for each revision, until its time has passed.
CREATE TABLE pap.expiring (
    company    text   NOT NULL,
    expires_at bigint NOT NULL,
    operation  bigint NOT NULL,
    -- serves expire_due.sql
    PRIMARY KEY (company, expires_at, operation)
);

-- Revisions that can no longer be confirmed, and whose company wants to hear of it.
CREATE TABLE pap.releases (
    operation bigint  NOT NULL,
    revision  integer NOT NULL,
    company   text    NOT NULL,
    why       text    NOT NULL CHECK (why IN ('expired', 'cancelled', 'revised')),
    try_after bigint  NOT NULL,
    tries     integer NOT NULL DEFAULT 0 CHECK (tries >= 0),
    PRIMARY KEY (operation, revision)
);

-- What an operator has paused: proposals or claims, of one action or (`*`) of all.
CREATE TABLE pap.pauses (
    company text   NOT NULL,
    action  text   NOT NULL,
    what    text   NOT NULL CHECK (what IN ('proposals', 'claims')),
    since   bigint NOT NULL,
    who     text   NOT NULL,
    why     text   NOT NULL,
    PRIMARY KEY (company, action, what)
);

-- An operation with its latest revision and what is known while it is in progress; the order of the
-- columns is the one in which `rows.rs` takes them.
CREATE VIEW pap.stored AS
SELECT
    o.key, o.company, o.operation_id, o.action, o.client, o."user", o.account, o.session,
    o.state, o.revision,
    o.confirmed_at, o.approved_by, o.confirmed_client, o.confirmed_key, o.confirmed_session,
    o.confirmed_account, o.confirmed_digest,
    o.result_summary, o.result_data, o.ended_at,
    r.number, r.schema_version, r.full_terms, r.wire_terms, r.summary, r.digest,
    r.user_approval_required, r.scopes, r.url, r.expires_at, r.issued_at,
    n.life, n.performing, n.epoch, n.ask_after, n.asks, n.died_asking, n.stop_requested, n.due,
    n.attention
FROM pap.operations AS o
LEFT JOIN pap.revisions AS r ON r.operation = o.key AND r.number = o.revision
LEFT JOIN pap.running AS n ON n.operation = o.key;

-- The record as others follow it: what happened to which operation, in which transaction.
CREATE VIEW pap.feed AS
SELECT e.xid, e.sequence, o.company, o.operation_id, e.kind, e.at
FROM pap.events AS e JOIN pap.operations AS o ON o.key = e.operation;
