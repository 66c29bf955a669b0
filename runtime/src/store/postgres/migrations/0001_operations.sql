-- Schema version, the oldest version that still works on these tables, store id and incarnation; which server
-- and which tables these were (`system`, `timeline`, `tables`), to tell a copy by; `mended` is of mend.sql,
-- `behind` says how somebody noticed that the database had gone back, and `forgotten_until` is of forget_proofs.sql.
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

-- Refuses to change an operation that is final, but for one erasure, which leaves what became of it and when.
CREATE FUNCTION pap.refuse_unless_erased() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF new.erased_at IS NOT DISTINCT FROM old.erased_at
       OR old.erased_at IS NOT NULL
       OR (new.state, new.ended_at, new.confirmed_at, new.revision, new.client, new.expires_at)
           IS DISTINCT FROM
          (old.state, old.ended_at, old.confirmed_at, old.revision, old.client, old.expires_at) THEN
        RAISE EXCEPTION USING ERRCODE = 'raise_exception', MESSAGE = TG_ARGV[0];
    END IF;
    RETURN new;
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

-- What a column may hold is said by its type, and what columns may hold together by one function for each table: a
-- server reads the condition of a `CHECK` and the `WHEN` of a trigger from their text anew in every statement, which
-- came to a quarter of a confirm; that of a type, and a function, it keeps ready for its session.
CREATE DOMAIN pap.bytes_16 AS bytea CHECK (octet_length(VALUE) = 16);
CREATE DOMAIN pap.bytes_32 AS bytea CHECK (octet_length(VALUE) = 32);
CREATE DOMAIN pap.count AS integer CHECK (VALUE >= 0);
CREATE DOMAIN pap.ordinal AS integer CHECK (VALUE >= 1);

-- Whether what is on record of an operation fits together. A comparison with null refuses nothing, as in a `CHECK`.
CREATE FUNCTION pap.fits_together(
    state text, ticket bytea, confirmed_at bigint, approved_by text, result_summary text, result_data text,
    ended_at bigint, erased_at bigint, erased_salt bytea
) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN state IN ('proposed', 'in_progress', 'succeeded', 'failed', 'cancelled', 'expired')
        AND approved_by IN ('user', 'standing_permission')
        AND (ended_at IS NULL) = (state IN ('proposed', 'in_progress'))
        AND (ended_at IS NULL) = (result_summary IS NULL)
        AND (result_data IS NULL OR result_summary IS NOT NULL)
        AND (ticket IS NULL OR confirmed_at IS NOT NULL)
        AND (confirmed_at IS NULL OR state NOT IN ('proposed', 'expired'))
        AND (confirmed_at IS NOT NULL OR state IN ('proposed', 'expired', 'cancelled'))
        AND (erased_at IS NULL OR ended_at IS NOT NULL)
        AND (erased_at IS NULL) = (erased_salt IS NULL);
END
$$;

-- Keys in the order of proposals.
CREATE SEQUENCE pap.operation_keys AS bigint;

-- One row per operation, written when it is proposed, revised, claimed and ended. No index on a column
-- that changes, and room in each page, since a row that was confirmed and ended is three times what was proposed:
-- then a change stays in its page and touches no index. The owner,
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
    state             text     NOT NULL,
    revision          pap.ordinal NOT NULL,
    expires_at        bigint   NOT NULL,
    ticket            pap.bytes_16,
    confirmed_at      bigint,
    approved_by       text,
    confirmed_client  text,
    confirmed_key     text,
    confirmed_session text,
    confirmed_account text,
    confirmed_digest  pap.bytes_32,
    result_summary    text,
    result_data       text,
    ended_at          bigint,
    erased_at         bigint,
    erased_salt       pap.bytes_32,
    -- serves read.sql, claim.sql and every other statement that names one operation
    UNIQUE (operation_id, company),
    CHECK (pap.fits_together(state, ticket, confirmed_at, approved_by, result_summary, result_data,
                             ended_at, erased_at, erased_salt))
) WITH (fillfactor = 30);

-- serve search.sql and erase.sql
CREATE INDEX operations_by_account ON pap.operations (company, account, key) WHERE account IS NOT NULL;
CREATE INDEX operations_by_reference ON pap.operations (company, reference, key) WHERE reference IS NOT NULL;
-- serves search.sql and purge.sql
CREATE INDEX operations_by_action ON pap.operations (company, action, key);

CREATE TRIGGER an_owner_is_fixed
BEFORE UPDATE OF key, company, operation_id, action, client, "user", account, session, reference, tells_release
ON pap.operations FOR EACH ROW WHEN (new.erased_at IS NOT DISTINCT FROM old.erased_at)
EXECUTE FUNCTION pap.refuse('the owner of an operation is fixed');

CREATE TRIGGER a_ticket_is_spent_once
BEFORE UPDATE OF ticket ON pap.operations FOR EACH ROW WHEN (old.ticket IS NOT NULL)
EXECUTE FUNCTION pap.refuse('the right to perform is spent once');

CREATE TRIGGER a_final_operation_is_fixed
BEFORE UPDATE ON pap.operations FOR EACH ROW WHEN (old.ended_at IS NOT NULL)
EXECUTE FUNCTION pap.refuse_unless_erased('a final operation never changes');

CREATE TRIGGER an_open_operation_is_kept
BEFORE DELETE ON pap.operations FOR EACH ROW WHEN (old.ended_at IS NULL)
EXECUTE FUNCTION pap.refuse('an operation is kept until it is final');

-- Every revision that was issued. What is performed and what is shown are read from here. An erasure
-- blanks the words and keeps a salted digest of them.
CREATE TABLE pap.revisions (
    operation              bigint  NOT NULL REFERENCES pap.operations (key),
    number                 pap.ordinal NOT NULL,
    schema_version         bigint  NOT NULL,
    full_terms             text    NOT NULL,
    wire_terms             text    NOT NULL,
    summary                text    NOT NULL,
    digest                 pap.bytes_32 NOT NULL,
    user_approval_required boolean NOT NULL,
    scopes                 text    NOT NULL,
    url                    text,
    expires_at             bigint  NOT NULL,
    issued_at              bigint  NOT NULL,
    -- serves the view `stored` and revisions.sql
    PRIMARY KEY (operation, number)
);

CREATE TRIGGER a_revision_is_fixed
BEFORE UPDATE ON pap.revisions FOR EACH ROW
WHEN (old.full_terms = '' OR new.full_terms <> '' OR new.wire_terms <> '' OR new.summary <> ''
      OR new.scopes <> '[]' OR new.url IS NOT NULL
      OR (new.operation, new.number, new.schema_version, new.expires_at, new.issued_at)
          IS DISTINCT FROM (old.operation, old.number, old.schema_version, old.expires_at, old.issued_at))
EXECUTE FUNCTION pap.refuse('a revision is fixed once it is issued');

CREATE TRIGGER a_revision_is_kept
BEFORE DELETE ON pap.revisions FOR EACH ROW
EXECUTE FUNCTION pap.refuse_while_open('a revision is kept until its operation is final');

-- At most one open operation per owner, action and identity.
CREATE TABLE pap.open_actions (
    company   text   NOT NULL,
    owner     text   NOT NULL,
    action    text   NOT NULL,
    identity  pap.bytes_32 NOT NULL,
    -- unique: serves finish.sql, close_proposed.sql and revise.sql
    operation bigint NOT NULL UNIQUE REFERENCES pap.operations (key),
    request   pap.bytes_32 NOT NULL,
    -- serves propose.sql and find_open.sql
    PRIMARY KEY (company, owner, action, identity)
);

-- One row per operation in progress: the list of open work. All that recovery changes is here, and how
-- many notes there are, so that a note and a finish meet on one row. `life` is null while nobody has begun.
CREATE TABLE pap.running (
    operation      bigint  NOT NULL PRIMARY KEY,
    company        text    NOT NULL,
    life           pap.bytes_16,
    performing     boolean NOT NULL,
    epoch          pap.count NOT NULL DEFAULT 0,
    ask_after      bigint  NOT NULL,
    asks           pap.count NOT NULL DEFAULT 0,
    died_asking    pap.count NOT NULL DEFAULT 0,
    stop_requested bigint,
    due            bigint,
    attention      boolean NOT NULL DEFAULT false,
    noted          pap.count NOT NULL DEFAULT 0,
    changes        pap.count NOT NULL DEFAULT 0,
    -- the life that took the question and has not answered
    asker          pap.bytes_16,
    -- it comes from a copy of the database, where the absence of a checkpoint shows nothing
    from_copy      boolean NOT NULL DEFAULT false,
    CHECK ((life IS NOT NULL OR NOT performing) AND died_asking <= 3 AND changes <= noted)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);

-- One row per life of a process. A missing row and an ended one both mean dead.
CREATE TABLE pap.lives (
    life     pap.bytes_16 NOT NULL PRIMARY KEY,
    begun_at bigint NOT NULL,
    beat_at  bigint NOT NULL,
    -- after how long without a beat it may be taken for dead, in milliseconds; by its own word, from its first beat on
    dead_after bigint,
    ended_at bigint
) WITH (fillfactor = 50);

-- Changes and checkpoints that performers put on record, in order.
CREATE TABLE pap.notes (
    operation bigint  NOT NULL REFERENCES pap.operations (key),
    number    pap.ordinal NOT NULL,
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

CREATE TRIGGER a_note_is_fixed
BEFORE UPDATE ON pap.notes FOR EACH ROW
WHEN (new.value <> '' OR (new.operation, new.number, new.kind, new.name, new.at)
                         IS DISTINCT FROM (old.operation, old.number, old.kind, old.name, old.at))
EXECUTE FUNCTION pap.refuse('notes are only appended');

CREATE TRIGGER a_note_is_kept
BEFORE DELETE ON pap.notes FOR EACH ROW
EXECUTE FUNCTION pap.refuse_while_open('a note is kept until its operation is final');

-- The record of every change of every operation, written with the change. `xid` is the transaction that
-- wrote it: who follows the record reads up to the oldest one that still runs, and misses nothing.
-- restore.sql alone changes it, where it is of another server's transaction.
CREATE TABLE pap.events (
    sequence  bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    operation bigint NOT NULL,
    at        bigint NOT NULL,
    xid       xid8   NOT NULL DEFAULT pg_current_xact_id(),
    kind      text   NOT NULL,
    detail    text   NOT NULL,
    -- serves feed_piece.sql and newest_moment.sql
    PRIMARY KEY (xid, sequence)
);

-- serves events.sql
CREATE INDEX events_of_an_operation ON pap.events (operation);

CREATE TRIGGER an_event_is_fixed
BEFORE UPDATE ON pap.events FOR EACH ROW
WHEN ((new.detail <> '{}' AND new.detail <> old.detail) OR new.xid > old.xid
      OR (new.sequence, new.operation, new.at, new.kind)
          IS DISTINCT FROM (old.sequence, old.operation, old.at, old.kind))
EXECUTE FUNCTION pap.refuse('events are only appended');

CREATE TRIGGER an_event_is_kept
BEFORE DELETE ON pap.events FOR EACH ROW
EXECUTE FUNCTION pap.refuse_while_open('an event is kept until its operation is final');
