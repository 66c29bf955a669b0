//! The plans by which the store confirms, on tables with much in them.

use pap_protocol::operation::State;
use pap_runtime::store::postgres::{Config, Postgres};
use pap_runtime::store::{Finish, FinishBy, Store as _};
use pap_trials::cluster::Cluster;
use tokio::task::JoinSet;

use crate::draft::{claim_of, done, finish, key, proposed, ticket};
use crate::server::schema;

/// So many operations go together.
const TOGETHER: u32 = 48;
/// So many others are on record.
const OTHERS: u32 = 20_000;
/// What a step of a plan reads for so many operations, with room; far below what is on record.
const READ_MAX: u64 = 1_000;

/// Every plan of a session is logged, that of a statement inside a function too, with what each step read.
const LOGGED: [&str; 5] = [
    "session_preload_libraries = 'auto_explain'",
    "auto_explain.log_min_duration = 0",
    "auto_explain.log_nested_statements = on",
    "auto_explain.log_analyze = on",
    "auto_explain.log_timing = off",
];

/// Confirms look operations up by indexes, however much is on record: by a plan that was made while the tables
/// were empty, and by one that was made when they were full.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_confirm_reads_no_table_through() {
    let cluster = Cluster::start_with(&LOGGED).unwrap();
    let name = schema();
    let config = Config::at(cluster.url()).schema(&name).single_node();
    let early = Postgres::connect(config.clone()).await.unwrap();
    // the server knows that there is nothing to read
    cluster.psql("VACUUM ANALYZE").unwrap();
    assert_eq!(early.read(&key(1)).await.unwrap(), None);
    assert!(!done(&early.claim(claim_of(1, 2)).await.unwrap()));
    assert!(!done(&early.finish(ended(1)).await.unwrap()));
    proposed(&early, 2 * TOGETHER).await;

    cluster.psql(&others(&name)).unwrap();
    let before = cluster.log().len();
    confirmed(&early, 1..=TOGETHER).await;
    cluster.psql("ANALYZE").unwrap();
    let late = Postgres::connect(config).await.unwrap();
    confirmed(&late, TOGETHER + 1..=2 * TOGETHER).await;

    let log = cluster.log().split_off(before);
    for function in ["claim", "finish", "read"] {
        assert!(log.contains(&format!("PL/pgSQL function {name}.{function}(")), "{function}");
    }
    let too_much: Vec<_> = log.lines().filter(|line| reads_through(line)).collect();
    assert!(too_much.is_empty(), "{too_much:#?}\n{log}");
}

/// Whether a line of a plan tells of a table that is read from end to end, or of many rows that are read.
fn reads_through(line: &str) -> bool {
    let grows = [
        "operations",
        "revisions",
        "events",
        "replay",
        "open_actions",
        "expiring",
        "running",
        "notes",
    ];
    let through = |table: &str| line.contains(&format!("Seq Scan on {table} "));
    let kept = line.split_once("(actual rows=").and_then(|(_, rest)| rest.split(' ').next());
    let dropped = line.split_once("Rows Removed by ").and_then(|(_, rest)| rest.rsplit(' ').next());
    let many = |count: &str| count.parse::<u64>().is_ok_and(|count| count > READ_MAX);
    // looked at once, when a store connects: what the server itself lists does not grow
    if line.contains(" on pg_") {
        return false;
    }
    grows.into_iter().any(through) || kept.is_some_and(many) || dropped.is_some_and(many)
}

/// Reads, claims and finishes them, all at the same time.
async fn confirmed(store: &Postgres, numbers: impl Iterator<Item = u32>) {
    let confirms: JoinSet<_> = numbers
        .map(|number| {
            let store = store.clone();
            async move {
                assert!(store.read(&key(number)).await.unwrap().is_some());
                assert!(done(&store.claim(claim_of(number, 1)).await.unwrap()));
                assert!(done(&store.finish(ended(number)).await.unwrap()));
            }
        })
        .collect();
    confirms.join_all().await;
}

/// How operation `number` ends: its performer says so, or somebody who was asked.
fn ended(number: u32) -> Finish {
    let by = if number.is_multiple_of(2) {
        FinishBy::Performer(ticket(number * 1_000 + 1))
    } else {
        FinishBy::Asker { epoch: 0, fence: Some("begun".to_owned()) }
    };
    finish(number, by, State::Failed)
}

/// Other operations in progress, with all that is kept of one.
fn others(schema: &str) -> String {
    let text = format!(
        "WITH others AS (
             INSERT INTO pap.operations (company, operation_id, action, client, \"user\", session, state,
                                         revision, expires_at, confirmed_at)
             SELECT 'outfitters', 'other_' || n, 'orders.exchange', 'agent', 'u2', 's2', 'in_progress', 1, 1, 1
             FROM generate_series(1, {OTHERS}) AS n RETURNING key
         ), revisions AS (
             INSERT INTO pap.revisions (operation, number, schema_version, full_terms, wire_terms, summary,
                                        digest, user_approval_required, scopes, expires_at, issued_at)
             SELECT key, 1, 1, '{{}}', '{{}}', 'other', sha256(''), false, '[]', 1, 1 FROM others
         ), open_actions AS (
             INSERT INTO pap.open_actions (company, owner, action, identity, operation, request)
             SELECT 'outfitters', 'other_' || key, 'orders.exchange', sha256(''), key, sha256('') FROM others
         ), running AS (
             INSERT INTO pap.running (operation, company, performing, ask_after, noted)
             SELECT key, 'outfitters', false, 1, 1 FROM others
         ), notes AS (
             INSERT INTO pap.notes (operation, number, kind, name, value, at)
             SELECT key, 1, 'checkpoint', 'begun', 'null', 1 FROM others
         ), replay AS (
             INSERT INTO pap.replay (proof, ticket, until)
             SELECT sha256(key::text::bytea), substr(sha256(''), 1, 16), 9999999999999 FROM others
         )
         INSERT INTO pap.events (operation, at, kind, detail) SELECT key, 1, 'confirmed', '{{}}' FROM others"
    );
    text.replace("pap.", &format!("{schema}."))
}
