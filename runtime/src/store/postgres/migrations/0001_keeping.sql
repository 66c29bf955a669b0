-- Uses of DPoP proofs by requests that may change something, until their time is over by every clock that
-- forget_proofs.sql knows. `proof` is a digest of thumbprint and `jti`, so that a row has one size whatever an agent sends.
CREATE TABLE pap.replay (
    proof  pap.bytes_32 NOT NULL PRIMARY KEY,
    ticket pap.bytes_16 NOT NULL,
    until  bigint NOT NULL
);

-- serves forget_proofs.sql
CREATE INDEX replay_by_end ON pap.replay (until);

-- The greatest `until` of a proof that was forgotten. A proof is accepted only if its own is greater, so it does not
-- matter by which clock others were forgotten. Asked once those that are used stand in `replay`: one that is not
-- found there may have been forgotten after the statement's own snapshot, and a snapshot that is taken here, after
-- it was not found, is not older than that.
CREATE FUNCTION pap.forgotten_until(used bigint) RETURNS bigint
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN coalesce((SELECT m.value::bigint FROM pap.meta AS m WHERE m.name = 'forgotten_until'),
                    -9223372036854775808);
END
$$;

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
    tries     pap.count NOT NULL DEFAULT 0,
    PRIMARY KEY (operation, revision)
);

-- serves take_releases.sql
CREATE INDEX releases_by_time ON pap.releases (company, try_after);

-- What is held back, and by whom.
CREATE TABLE pap.pauses (
    company text   NOT NULL,
    what    text   NOT NULL CHECK (what IN ('proposals', 'claims')),
    -- empty: every action
    action  text   NOT NULL,
    since   bigint NOT NULL,
    who     text   NOT NULL,
    why     text   NOT NULL,
    -- serves `held_back`
    PRIMARY KEY (company, what, action)
);

-- What a company holds back, as it is now and stays until this transaction ends: pausing waits for it. A
-- statement's own snapshot would be of a moment before the lock.
CREATE FUNCTION pap.held_back(of_company text, of_what text) RETURNS text[]
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(hashtextextended('pap.pauses ' || of_company, 0));
    RETURN ARRAY(SELECT p.action FROM pap.pauses AS p WHERE p.company = of_company AND p.what = of_what);
END
$$;

-- What operators did beside settling, which is in the events of an operation: numbered without gaps, company by
-- company, written with what was done. Of an erasure nothing tells whose operations they were.
CREATE TABLE pap.acts (
    company    text   NOT NULL,
    number     bigint NOT NULL CHECK (number >= 1),
    -- of one that is done in steps: how they find it; serves `acted`
    id         pap.bytes_16 UNIQUE,
    at         bigint NOT NULL,
    act        text   NOT NULL CHECK (act IN ('pause', 'resume', 'purge', 'erase')),
    what       text   CHECK (what IN ('proposals', 'claims')),
    -- null: every action
    action     text,
    who        text   NOT NULL,
    why        text   NOT NULL,
    operations bigint NOT NULL CHECK (operations >= 0),
    -- serves acts.sql and `acted`
    PRIMARY KEY (company, number),
    CHECK ((what IS NULL) = (act IN ('purge', 'erase'))),
    CHECK ((id IS NULL) = (what IS NOT NULL)),
    CHECK (action IS NULL OR act <> 'erase')
);

CREATE TRIGGER an_act_is_fixed
BEFORE UPDATE ON pap.acts FOR EACH ROW
WHEN (old.id IS NULL OR new.operations <= old.operations
      OR (new.company, new.number, new.id, new.at, new.act, new.what, new.action, new.who, new.why)
          IS DISTINCT FROM
         (old.company, old.number, old.id, old.at, old.act, old.what, old.action, old.who, old.why))
EXECUTE FUNCTION pap.refuse('what was done stays on record as it was');

CREATE TRIGGER an_act_is_kept
BEFORE DELETE ON pap.acts FOR EACH ROW
EXECUTE FUNCTION pap.refuse('what was done stays on record');

-- Puts on record what was done, or one more step of it, unless the step did nothing. The last lock of a transaction:
-- whoever waits for it holds what it did, and whoever has it waits for nobody.
CREATE FUNCTION pap.acted(
    of_company text, by_id bytea, moment bigint, was text, of_what text, on_action text, by_who text, by_why text,
    many bigint
) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF by_id IS NOT NULL THEN
        IF many = 0 THEN
            RETURN false;
        END IF;
        UPDATE pap.acts AS a SET operations = a.operations + many WHERE a.id = by_id AND a.company = of_company;
        IF FOUND THEN
            RETURN true;
        END IF;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('pap.acts ' || of_company, 0));
    INSERT INTO pap.acts (company, number, id, at, act, what, action, who, why, operations)
    VALUES (
        of_company,
        1 + coalesce((SELECT max(a.number) FROM pap.acts AS a WHERE a.company = of_company), 0),
        by_id, moment, was, of_what, on_action, by_who, by_why, many
    );
    RETURN true;
END
$$;

-- Operations that were removed: their ids are not given again.
CREATE TABLE pap.purged (
    company      text NOT NULL,
    operation_id text NOT NULL,
    -- serves propose.sql
    PRIMARY KEY (operation_id, company)
);

-- An operation with its latest revision and what is known while it is in progress; the order of the
-- columns is the one in which `rows.rs` takes them. Joined so that the plan of a function that reads it never goes
-- through a table, see 0001_lanes.sql.
CREATE VIEW pap.stored AS
SELECT
    o.key, o.company, o.operation_id, o.action, o.client, o."user", o.account, o.session,
    o.state, o.revision,
    o.confirmed_at, o.approved_by, o.confirmed_client, o.confirmed_key, o.confirmed_session,
    o.confirmed_account, o.confirmed_digest,
    o.result_summary, o.result_data, o.ended_at, o.reference, o.erased_at, o.erased_salt,
    r.number, r.schema_version, r.full_terms, r.wire_terms, r.summary, r.digest,
    r.user_approval_required, r.scopes, r.url, r.expires_at, r.issued_at,
    n.operation, n.life, n.performing, n.epoch, n.ask_after, n.asks, n.died_asking, n.stop_requested,
    n.due, n.attention
FROM pap.operations AS o
LEFT JOIN pap.revisions AS r ON r.operation = ANY (ARRAY[o.key]) AND r.number = o.revision
LEFT JOIN pap.running AS n ON n.operation = ANY (ARRAY[o.key]);

-- What happened, for programs that read this database: ids, kinds and moments (milliseconds since 1970).
-- A transaction that began earlier can become visible later, so whoever follows it reads windows of
-- transactions that have all ended: begin with lo = 0 and hi = pg_snapshot_xmin(pg_current_snapshot()), read
--     SELECT * FROM pap.feed WHERE company = … AND xid >= lo AND xid < hi ORDER BY sequence
-- keep hi, and go on with lo = hi. Events of purged operations are gone.
CREATE VIEW pap.feed AS
SELECT e.xid, e.sequence, o.company, o.operation_id AS id, e.kind, e.at
FROM pap.events AS e JOIN pap.operations AS o ON o.key = e.operation;
