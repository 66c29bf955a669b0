//! A database that is put back from a copy: it is noticed, refused, and taken into use only on purpose.

use std::time::Duration;

use pap_ops::cli::Exit;
use pap_protocol::operation::State;
use pap_runtime::store::postgres::{Config, Postgres};
use pap_runtime::store::{
    Beat, Cursor, EventKind, FinishBy, Life, Performer, ReadFeed, Start, Store as _,
};
use pap_trials::cluster::Cluster;

use crate::draft::{
    COMPANY, LIFE, claim, done, finish, key, now, operation, propose, proposed, take, ticket,
};
use crate::operating::types_at;
use crate::server::recovered;

const AFTER: Life = Life([2; 16]);

fn at(cluster: &Cluster) -> Config {
    Config::at(cluster.url()).single_node()
}

#[track_caller]
fn is_refused(refused: Result<Postgres, pap_runtime::store::Error>, because: &str) {
    let error = refused.unwrap_err().to_string();
    assert!(error.contains(because), "{error}");
    assert!(error.contains("this is not the newest state of the store"), "{error}");
    assert!(error.contains("`pap-ops restore --who NAME --why TEXT`"), "{error}");
    assert!(error.contains("`Postgres::restore(config)`"), "{error}");
}

/// Operation 1 is performed, 2 waits to be started, 3 has ended, 4 is proposed.
async fn begun(store: &Postgres) {
    proposed(store, 4).await;
    assert!(done(&store.claim(claim(1, ticket(1))).await.unwrap()));
    let mut deferred = claim(2, ticket(2));
    deferred.performer = None;
    assert!(done(&store.claim(deferred).await.unwrap()));
    assert!(done(&store.claim(claim(3, ticket(3))).await.unwrap()));
    let by = FinishBy::Performer(ticket(3));
    assert!(done(&store.finish(finish(3, by, State::Succeeded)).await.unwrap()));
}

/// What may have been confirmed since is confirmed by nobody, and everything in progress is asked about.
async fn is_safe_to_go_on_with(store: &Postgres) {
    store.begin_life(AFTER).await.unwrap();
    assert!(store.begin_life(LIFE).await.is_err(), "an earlier life has ended");
    let state = async |number| store.read(&key(number)).await.unwrap().unwrap().state;
    assert_eq!(state(4).await, State::Expired);
    assert_eq!(state(3).await, State::Succeeded);
    assert!(!done(&store.claim(claim(4, ticket(4))).await.unwrap()), "it may have been performed");
    let start = Start { key: key(2), performer: Performer { ticket: ticket(2), life: AFTER } };
    assert!(!done(&store.start(start).await.unwrap()), "it may have been started");
    let asked = store.take_askable(take()).await.unwrap();
    let mut ids: Vec<_> = asked.iter().map(|asked| asked.stored.key.clone()).collect();
    ids.sort_by_key(|key| key.id.to_string());
    assert_eq!(ids, [key(1), key(2)]);
    for asked in asked {
        let epoch = asked.stored.running.unwrap().epoch;
        let number = if asked.stored.key == key(1) { 1 } else { 2 };
        let fenced = FinishBy::Asker { epoch, fence: Some("begun".to_owned()) };
        let closed = store.finish(finish(number, fenced, State::Failed)).await.unwrap();
        assert!(!done(&closed), "a checkpoint that is missing from a copy shows nothing");
        let in_part = finish(number, FinishBy::AskerInPart { epoch }, State::Failed);
        assert!(!done(&store.finish(in_part).await.unwrap()), "nor that no more was done");
        let plain = FinishBy::Asker { epoch, fence: None };
        assert!(done(&store.finish(finish(number, plain, State::Failed)).await.unwrap()));
    }
    propose(store, operation(5, now())).await;
    assert!(store.keeping().verify(COMPANY).await.unwrap().is_empty());
}

async fn feed(store: &Postgres, after: Cursor) -> (Vec<(String, EventKind)>, Cursor) {
    let read = ReadFeed { company: COMPANY.to_owned(), after, limit: 100 };
    let feed = store.keeping().feed(read).await.unwrap();
    let events = feed.events.iter().map(|event| (event.id.to_string(), event.kind)).collect();
    (events, feed.next)
}

/// Point-in-time recovery, of a server that has none to promote. Row E4.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_backup_that_was_recovered_is_refused_until_it_is_taken_into_use() {
    let mut cluster = Cluster::start().unwrap();
    let store = Postgres::connect(at(&cluster)).await.unwrap();
    begun(&store).await;
    let mut copy = cluster.backup().unwrap();
    // after the copy was made
    assert!(done(&store.claim(claim(4, ticket(4))).await.unwrap()));
    let (_, read) = feed(&store, Cursor::START).await;
    store.close();
    cluster.stop_immediate().unwrap();

    copy.recover().unwrap();
    copy.restart().unwrap();
    recovered(&copy).await;
    for _ in 0..2 {
        is_refused(Postgres::connect(at(&copy)).await, "the server was promoted");
    }
    let store = Postgres::restore(at(&copy)).await.unwrap();
    is_safe_to_go_on_with(&store).await;
    // whoever had read past the copy reads again from the beginning, and misses nothing
    let (events, _) = feed(&store, read).await;
    for (id, kind) in [
        ("exc_1", EventKind::Proposed),
        ("exc_4", EventKind::Ended),
        ("exc_5", EventKind::Proposed),
    ] {
        assert!(events.contains(&(id.to_owned(), kind)), "{id}: {events:?}");
    }
    store.close();
    Postgres::connect(at(&copy)).await.expect("it was taken into use");
}

/// What a person on call does about it, in the order of the runbook. Row E4.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_person_takes_a_backup_into_use_with_the_command() {
    let mut cluster = Cluster::start().unwrap();
    let store = Postgres::connect(at(&cluster)).await.unwrap();
    begun(&store).await;
    let mut copy = cluster.backup().unwrap();
    // after the copy was made
    assert!(done(&store.claim(claim(4, ticket(4))).await.unwrap()));
    store.close();
    cluster.stop_immediate().unwrap();
    copy.recover().unwrap();
    copy.restart().unwrap();
    while copy.psql("SELECT pg_is_in_recovery()").unwrap() != "f" {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    is_refused(Postgres::connect(at(&copy)).await, "the server was promoted");

    let because = ["--who", "ada", "--why", "disk failure, backup of 03:00"];
    let restore = async |how: &[&str]| {
        let arguments = [&["restore"], how, &because].concat();
        types_at(copy.url(), "pap", &arguments).await
    };
    let said = restore(&["--yes"]).await;
    assert_eq!(said.exit, Exit::Failed, "its process was seen a moment ago: {said:?}");
    assert!(said.err.starts_with("error: a process of a company uses this store"), "{said:?}");
    // time passes, and it had said that it may be silent for longer than most
    copy.psql("UPDATE pap.lives SET beat_at = beat_at - 31000, dead_after = 60000").unwrap();
    assert_eq!(restore(&["--yes"]).await.exit, Exit::Failed);
    copy.psql("UPDATE pap.lives SET beat_at = beat_at - 31000").unwrap();
    let said = restore(&[]).await;
    assert_eq!(said.exit, Exit::Usage, "nobody agreed: {said:?}");
    for line in [
        "- what is proposed expires, as it may have been confirmed since the copy was made: 1 operation",
        "- what is in progress is asked about at once, and started by nobody: 2 operations",
        "Nothing is performed. What was proposed after the copy was made is not in it.",
        "It is seen to be a copy: the server was promoted (timeline 2, and 1 was on record), as in a recovery, \
         and as in a fail-over.",
        "On record: ada, because: disk failure, backup of 03:00",
    ] {
        assert!(said.err.lines().any(|said| said == line), "{line}: {said:?}");
    }
    is_refused(Postgres::connect(at(&copy)).await, "the server was promoted");
    let said = restore(&["--yes", "--json"]).await;
    assert_eq!((said.exit, said.err.as_str()), (Exit::Done, ""));
    assert!(said.out.contains(r#""expired":1,"asked":2"#), "{said:?}");

    let store = Postgres::connect(at(&copy)).await.expect("it was taken into use");
    is_safe_to_go_on_with(&store).await;
    for number in [1, 4] {
        let events = store.history(&key(number)).await.unwrap().unwrap().events;
        let by_ada = r#""by":"restored","who":"ada","why":"disk failure, backup of 03:00"}"#;
        assert!(events.iter().any(|event| event.detail.ends_with(by_ada)), "{events:?}");
    }
}

/// A standby that had every commit takes the place of the server. Row E4.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_promoted_standby_is_accepted_where_the_operator_says_so() {
    let mut cluster = Cluster::start().unwrap();
    let store = Postgres::connect(at(&cluster)).await.unwrap();
    begun(&store).await;
    store.close();
    let mut copy = cluster.backup().unwrap();
    cluster.stop_immediate().unwrap();
    copy.recover().unwrap();
    copy.restart().unwrap();
    recovered(&copy).await;
    let store = Postgres::connect(at(&copy).replicated("ours")).await.unwrap();
    assert!(done(&store.claim(claim(4, ticket(4))).await.unwrap()));
    is_refused(Postgres::connect(at(&copy)).await, "the server was promoted");
    store.begin_life(AFTER).await.unwrap();
    store.close();
    Postgres::connect(at(&copy)).await.expect("it is on record");
}

/// A dump is loaded into another server, and into the same one. Row E4.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_dump_is_refused_until_it_is_taken_into_use() {
    let cluster = Cluster::start().unwrap();
    let store = Postgres::connect(at(&cluster)).await.unwrap();
    // transactions of the other server, so that its numbers are past those of the new one
    let burn =
        "DO $$ BEGIN FOR i IN 1..3000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$";
    cluster.psql(burn).unwrap();
    begun(&store).await;
    let (before, read) = feed(&store, Cursor::START).await;
    let dump = cluster.dump("pap").unwrap();
    store.close();

    let other = Cluster::start().unwrap();
    other.load(&dump).unwrap();
    is_refused(Postgres::connect(at(&other)).await, "the server is number");
    is_refused(Postgres::connect(at(&other).replicated("ours")).await, "the server is number");
    let store = Postgres::restore(at(&other)).await.unwrap();
    is_safe_to_go_on_with(&store).await;
    let (events, next) = feed(&store, read).await;
    assert_eq!(events.get(..before.len()), Some(&before[..]), "in the order that they had");
    assert!(events.len() > before.len());
    propose(&store, operation(6, now())).await;
    let (events, _) = feed(&store, next).await;
    assert_eq!(events, [("exc_6".to_owned(), EventKind::Proposed)]);

    cluster.psql("DROP SCHEMA pap CASCADE").unwrap();
    cluster.load(&dump).unwrap();
    is_refused(Postgres::connect(at(&cluster)).await, "its tables were made anew");
}

/// Files are put back and started as after a crash: nothing in them shows it, but a process that was there sees it.
/// Row E4.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_process_that_was_there_notices_that_the_store_went_back() {
    let mut cluster = Cluster::start().unwrap();
    let store = Postgres::connect(at(&cluster)).await.unwrap();
    proposed(&store, 2).await;
    let mut copy = cluster.backup().unwrap();
    assert!(done(&store.claim(claim(1, ticket(1))).await.unwrap()));
    for number in 10..20 {
        propose(&store, operation(number, now())).await;
    }
    let beat = Beat { life: LIFE, dead_after: Duration::from_secs(60) };
    assert!(store.heartbeat(beat).await.unwrap());
    cluster.stop_immediate().unwrap();
    // at the same address
    copy.take_port_of(&cluster).unwrap();
    copy.restart().unwrap();

    let read = store.read(&key(1)).await.unwrap_err().to_string();
    assert!(read.contains("this is not the newest state of the store"), "{read}");
    let claimed = store.claim(claim(1, ticket(7))).await.unwrap_err().to_string();
    assert!(claimed.contains("a process that was there"), "{claimed}");
    // and whoever comes later is told
    is_refused(Postgres::connect(at(&copy)).await, "a process that was there");
    let restored = Postgres::restore(at(&copy)).await.unwrap();
    assert_eq!(restored.read(&key(1)).await.unwrap().unwrap().state, State::Expired);
    Postgres::connect(at(&copy)).await.expect("it was taken into use");
}

/// A role that may not ask the server which one it is goes on, and tables from a dump are seen all the same.
/// Row E4.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_server_that_does_not_tell_which_one_it_is_is_used() {
    let cluster = Cluster::start().unwrap();
    cluster.psql("REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC").unwrap();
    cluster
        .psql("CREATE ROLE service LOGIN; GRANT CREATE ON DATABASE postgres TO service")
        .unwrap();
    let config = Config::at(cluster.url().replace("postgres@", "service@")).single_node();
    let store = Postgres::connect(config.clone()).await.unwrap();
    begun(&store).await;
    let recorded = "SELECT string_agg(name, ' ' ORDER BY name) FROM pap.meta WHERE name IN ('system', 'tables')";
    assert_eq!(cluster.psql(recorded).unwrap(), "tables");
    let dump = cluster.dump("pap").unwrap();
    store.close();
    cluster.psql("DROP SCHEMA pap CASCADE").unwrap();
    cluster.load(&dump).unwrap();
    is_refused(Postgres::connect(config).await, "its tables were made anew");
}
