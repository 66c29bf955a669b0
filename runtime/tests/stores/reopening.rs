//! What is there when a store is opened again.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use pap_protocol::operation::State;
use pap_runtime::clock::Clock;
use pap_runtime::store::memory::Memory;
use pap_runtime::store::sqlite::Sqlite;
use pap_runtime::store::{ErrorKind, FinishBy, History, PauseOf, ProofUse, Store, Written};
use pap_runtime::value::Instant;

use crate::draft::{
    COMPANY, LIFE, claim, done, finish, key, noon, one_of_each, operation, pause, propose, resume,
    take, ticket,
};

async fn everything(store: &dyn Store) -> Vec<History> {
    let mut all = Vec::new();
    for number in 1..=5 {
        let mut history = store.history(&key(number)).await.unwrap().unwrap();
        history.stored.now = Instant::from_millis(0);
        all.push(history);
    }
    all
}

/// OPS-3.2-5: what was answered is there, word for word, in every state.
#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_is_opened_again_has_everything() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("operations.db");
    let clock = noon();
    let sqlite = Sqlite::open_on(&path, Arc::new(clock.clone())).unwrap();
    one_of_each(&sqlite, &clock).await;
    let before = everything(&sqlite).await;
    sqlite.close().await;

    let again = Sqlite::open_on(&path, Arc::new(clock.clone())).unwrap();
    assert_eq!(everything(&again).await, before);
    assert!(again.find_open(&operation(1, clock.now()).open).await.unwrap().is_none(), "expired");
    let found = again.find_open(&operation(2, clock.now()).open).await.unwrap().unwrap();
    assert_eq!(found.stored.key, key(2), "what is open is found");
}

/// EXT-18
#[tokio::test(flavor = "multi_thread")]
async fn a_proof_that_an_earlier_process_accepted_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("operations.db");
    let clock = noon();
    let used = |with| ProofUse {
        thumbprint: "thumbprint".to_owned(),
        jti: "jti".to_owned(),
        until: clock.now().saturating_add(Duration::from_secs(60)),
        ticket: ticket(with),
    };
    let sqlite = Sqlite::open_on(&path, Arc::new(clock.clone())).unwrap();
    assert!(matches!(sqlite.record_proof(used(1)).await, Ok(Written::Done(_))));
    sqlite.close().await;

    let again = Sqlite::open_on(&path, Arc::new(clock.clone())).unwrap();
    assert!(matches!(again.record_proof(used(2)).await, Ok(Written::Replayed)), "used before");
    assert!(matches!(again.record_proof(used(1)).await, Ok(Written::Done(_))), "our own retry");
}

/// EXT-18. Row B8, Row E13, Row E14: what an earlier process forgot while its clock was ahead.
#[tokio::test(flavor = "multi_thread")]
async fn a_proof_that_an_earlier_process_accepted_and_forgot_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("operations.db");
    let clock = noon();
    let used = |jti: &str, with| ProofUse {
        thumbprint: "thumbprint".to_owned(),
        jti: jti.to_owned(),
        until: clock.now().saturating_add(Duration::from_secs(121)),
        ticket: ticket(with),
    };
    let before = used("before", 1);
    let sqlite = Sqlite::open_on(&path, Arc::new(clock.clone())).unwrap();
    assert!(matches!(sqlite.record_proof(before.clone()).await, Ok(Written::Done(_))));
    clock.advance(Duration::from_secs(3_600));
    assert!(matches!(sqlite.record_proof(used("ahead", 2)).await, Ok(Written::Done(_))));
    sqlite.close().await;
    let file = rusqlite::Connection::open(&path).unwrap();
    let kept = file.query_row("SELECT count(*) FROM replay", (), |row| row.get::<_, i64>(0));
    assert_eq!(kept, Ok(1), "it was forgotten");
    drop(file);

    clock.set(noon().now().saturating_add(Duration::from_secs(1)));
    let again = Sqlite::open_on(&path, Arc::new(clock.clone())).unwrap();
    let another = ProofUse { ticket: ticket(3), ..before };
    assert!(matches!(again.record_proof(another).await, Ok(Written::Replayed)), "used before");
    assert!(matches!(again.record_proof(used("new", 4)).await, Ok(Written::Done(_))));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_earlier_process_performed_can_be_asked_about() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("operations.db");
    let clock = noon();
    let sqlite = Sqlite::open_on(&path, Arc::new(clock.clone())).unwrap();
    one_of_each(&sqlite, &clock).await;
    assert!(sqlite.take_askable(take()).await.unwrap().is_empty(), "it is performed");
    sqlite.close().await;
    let again = Sqlite::open_on(&path, Arc::new(clock.clone())).unwrap();
    again.begin_life(pap_runtime::store::Life([2; 16])).await.unwrap();
    let taken = again.take_askable(take()).await.unwrap();
    assert_eq!(taken.len(), 1);
    assert_eq!(taken[0].stored.key, key(2));
    assert!(again.begin_life(LIFE).await.is_err(), "the earlier life has ended");

    let clock = noon();
    let memory = Memory::on_clock(Arc::new(clock.clone()));
    one_of_each(&memory, &clock).await;
    assert!(memory.take_askable(take()).await.unwrap().is_empty(), "it is performed");
    assert_eq!(memory.reopened().take_askable(take()).await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_dead_process_had_begun_to_ask_is_asked_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("operations.db");
    let clock = noon();
    let sqlite = Sqlite::open_on(&path, Arc::new(clock.clone())).unwrap();
    let memory = Memory::on_clock(Arc::new(clock.clone()));
    let both: [&dyn Store; 2] = [&sqlite, &memory];
    for store in both {
        propose(store, operation(1, clock.now())).await;
        assert!(done(&store.claim(claim(1, ticket(1))).await.unwrap()));
        assert_eq!(
            store.take_askable(take()).await.unwrap().len(),
            1,
            "of a life that never began"
        );
        assert!(store.take_askable(take()).await.unwrap().is_empty(), "it is somebody's question");
    }
    sqlite.close().await;
    let sqlite = Sqlite::open_on(&path, Arc::new(clock.clone())).unwrap();
    let memory = memory.reopened();
    let both: [&dyn Store; 2] = [&sqlite, &memory];
    for store in both {
        let taken = store.take_askable(take()).await.unwrap();
        let died = taken[0].stored.running.as_ref().unwrap().died_asking;
        assert_eq!(died, 2, "and a second time counts as a second death");
    }
}

/// A pause holds until it is ended, whoever opens the store, and whatever is written meanwhile.
#[tokio::test(flavor = "multi_thread")]
async fn a_pause_holds_in_a_store_that_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("operations.db");
    let clock = noon();
    let sqlite = Sqlite::open_on(&path, Arc::new(clock.clone())).unwrap();
    for number in 1..=3 {
        propose(&sqlite, operation(number, clock.now())).await;
    }
    assert!(done(&sqlite.claim(claim(3, ticket(3))).await.unwrap()), "nothing is paused");
    sqlite.keeping().pause(pause(None, PauseOf::Claims)).await.unwrap();
    sqlite.close().await;
    let again = Sqlite::open_on(&path, Arc::new(clock.clone())).unwrap();
    for number in 1..=2 {
        assert!(!done(&again.claim(claim(number, ticket(number))).await.unwrap()));
        propose(&again, operation(10 + number, clock.now())).await;
    }
    assert!(again.keeping().resume(resume(None, PauseOf::Claims)).await.unwrap());
    for number in 1..=2 {
        assert!(done(&again.claim(claim(number, ticket(number))).await.unwrap()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn time_goes_on_from_the_newest_moment_on_record() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("operations.db");
    let clock = noon();
    let late = clock.now().saturating_add(Duration::from_secs(7_200));
    clock.set(late);
    let store = Sqlite::open_on(&path, Arc::new(clock.clone())).unwrap();
    propose(&store, operation(1, late)).await;
    store.close().await;
    clock.set(noon().now());
    let again = Sqlite::open_on(&path, Arc::new(clock)).unwrap();
    assert_eq!(again.clock().now(), late);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_was_closed_refuses_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let store = Sqlite::open(folder.path().join("operations.db")).unwrap();
    let other = store.clone();
    store.close().await;
    let now = other.clock().now();
    let writing = other.propose(operation(1, now)).await.unwrap_err();
    let reading = other.read(&key(1)).await.unwrap_err();
    for error in [writing, reading] {
        assert_eq!(
            (error.kind(), error.to_string().as_str()),
            (ErrorKind::NotWritten, "the store was closed")
        );
    }
}

/// The threads end with the last handle, and the file is free; nothing that was answered is lost.
#[tokio::test(flavor = "multi_thread")]
async fn the_last_handle_frees_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("operations.db");
    let store = Sqlite::open(&path).unwrap();
    let other = store.clone();
    propose(&store, operation(1, store.clock().now())).await;
    drop(store);
    assert!(Sqlite::open(&path).is_err(), "a handle is left");
    drop(other);
    let again = open_when_free(&path);
    assert!(again.read(&key(1)).await.unwrap().is_some());
    assert!(!folder.path().join("operations.db-journal").exists());
}

fn open_when_free(path: &Path) -> Sqlite {
    let begun = std::time::Instant::now();
    loop {
        match Sqlite::open(path) {
            Ok(store) => return store,
            Err(error) => {
                assert!(begun.elapsed() < Duration::from_secs(60), "{error}");
                std::thread::yield_now();
            }
        }
    }
}

/// What a caller that goes away had asked for is done or not done, never half.
#[tokio::test(flavor = "multi_thread")]
async fn a_write_whose_caller_went_away_is_decided() {
    let folder = tempfile::tempdir().unwrap();
    let store = Sqlite::open(folder.path().join("operations.db")).unwrap();
    let now = store.clock().now();
    for number in 1..=50 {
        propose(&store, operation(number, now)).await;
        assert!(done(&store.claim(claim(number, ticket(number))).await.unwrap()));
        let end = finish(number, FinishBy::Performer(ticket(number)), State::Succeeded);
        // polled once: the write is on its way, and nobody waits for it
        drop(tokio::time::timeout(Duration::ZERO, store.finish(end)).await);
    }
    // behind all of them in the same queue
    propose(&store, operation(100, now)).await;
    for number in 1..=50 {
        let history = store.history(&key(number)).await.unwrap().unwrap();
        assert_eq!(history.stored.state, State::Succeeded);
        assert_eq!(history.events.len(), 3);
    }
}

/// Only the caller that was answered may perform: a claim whose caller went away is nobody's.
#[tokio::test(flavor = "multi_thread")]
async fn a_claim_whose_caller_went_away_can_be_asked_about() {
    let folder = tempfile::tempdir().unwrap();
    let store = Sqlite::open(folder.path().join("operations.db")).unwrap();
    store.begin_life(LIFE).await.unwrap();
    let now = store.clock().now();
    let mut gone = Vec::new();
    for number in 1..=50 {
        propose(&store, operation(number, now)).await;
        let claiming = store.claim(claim(number, ticket(number)));
        if tokio::time::timeout(Duration::ZERO, claiming).await.is_err() {
            gone.push(key(number));
        }
    }
    assert!(!gone.is_empty(), "some callers went away");
    propose(&store, operation(100, now)).await;
    let taken = store.take_askable(take()).await.unwrap();
    let mut taken: Vec<_> = taken.into_iter().map(|asked| asked.stored.key).collect();
    taken.sort_by_key(|key| gone.iter().position(|gone| gone == key));
    assert_eq!(taken, gone, "each of them, and nothing that somebody performs");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_a_newer_version_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("operations.db");
    Sqlite::open(&path).unwrap().close().await;
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute("UPDATE meta SET value = '7' WHERE name = 'schema_version'", ()).unwrap();
    drop(connection);
    let error = Sqlite::open(&path).unwrap_err().to_string();
    assert!(error.contains("schema version 7"), "{error}");
    assert!(error.contains("help: run the newer version"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_of_another_program_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.db");
    let theirs = rusqlite::Connection::open(&path).unwrap();
    theirs.execute_batch("CREATE TABLE orders (id INTEGER PRIMARY KEY)").unwrap();
    drop(theirs);
    let error = Sqlite::open(&path).unwrap_err().to_string();
    assert!(error.contains("a database of another program"), "{error}");
    let theirs = rusqlite::Connection::open(&path).unwrap();
    let tables = "SELECT count(*) FROM sqlite_schema";
    assert_eq!(theirs.query_row(tables, (), |row| row.get::<_, i64>(0)).unwrap(), 1);
}

#[test]
fn a_path_that_leads_nowhere_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let error = Sqlite::open(folder.path().join("none/operations.db")).unwrap_err();
    assert!(error.to_string().contains("none/operations.db"), "{error}");
    assert!(Sqlite::open("").is_err());
    assert!(Sqlite::open(folder.path()).is_err());
    assert_eq!(COMPANY, key(1).company);
}
