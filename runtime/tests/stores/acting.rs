//! What operators did is there when a file is opened again, and nothing is done that cannot be kept there.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use pap_protocol::operation::State;
use pap_runtime::clock::{Clock as _, SetClock};
use pap_runtime::store::memory::Memory;
use pap_runtime::store::sqlite::Sqlite;
use pap_runtime::store::{Act, Erase, FinishBy, PauseOf, Purge, Store};

use crate::damage::damage;
use crate::draft::{
    COMPANY, LIFE, acts, by, claim, done, finish, key, noon, operation, pause, propose, resume,
    ticket,
};

async fn ended(store: &dyn Store, number: u32) {
    propose(store, operation(number, store.clock().now())).await;
    assert!(done(&store.claim(claim(number, ticket(number))).await.unwrap()));
    let end = finish(number, FinishBy::Performer(ticket(number)), State::Succeeded);
    assert!(done(&store.finish(end).await.unwrap()));
}

fn erase() -> Erase {
    Erase { company: COMPANY.to_owned(), account: "acct".to_owned(), limit: 9, by: by() }
}

fn purge(clock: &SetClock) -> Purge {
    Purge {
        company: COMPANY.to_owned(),
        action: "orders.exchange".to_owned(),
        ended_before: clock.now().saturating_add(Duration::from_secs(1)),
        after: None,
        limit: 9,
        by: Some(by()),
    }
}

async fn one_of_each(store: &dyn Store, clock: &SetClock) -> Vec<Act> {
    store.begin_life(LIFE).await.unwrap();
    ended(store, 1).await;
    let keeping = store.keeping();
    assert_eq!(keeping.erase(erase()).await.unwrap().erased, 1);
    assert_eq!(keeping.purge(purge(clock)).await.unwrap().removed, 1);
    keeping.pause(pause(None, PauseOf::Claims)).await.unwrap();
    assert!(keeping.resume(resume(None, PauseOf::Claims)).await.unwrap());
    let acts = acts(store).await;
    assert_eq!(acts.len(), 4);
    acts
}

#[tokio::test(flavor = "multi_thread")]
async fn what_operators_did_is_there_when_the_store_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("operations.db");
    let clock = noon();
    let sqlite = Sqlite::open_on(&path, Arc::new(clock.clone())).unwrap();
    let before = one_of_each(&sqlite, &clock).await;
    sqlite.close().await;
    let again = Sqlite::open_on(&path, Arc::new(clock.clone())).unwrap();
    assert_eq!(acts(&again).await, before);
    let memory = Memory::on_clock(Arc::new(clock.clone()));
    assert_eq!(one_of_each(&memory, &clock).await, before);
    assert_eq!(acts(&memory.reopened()).await, before);
    again.close().await;
    let looked_at = Sqlite::open_read_only(&path).unwrap();
    assert_eq!(acts(&looked_at).await, before, "also for whoever only looks");
}

fn change(path: &Path, statement: &str) {
    rusqlite::Connection::open(path).unwrap().execute_batch(statement).unwrap();
}

/// No purge, erasure, pause or end of a pause is ever without its act: what cannot be kept is not done.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_done_whose_act_cannot_be_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("operations.db");
    let clock = noon();
    let store = Sqlite::open_on(&path, Arc::new(clock.clone())).unwrap();
    store.begin_life(LIFE).await.unwrap();
    ended(&store, 1).await;
    store.keeping().pause(pause(None, PauseOf::Claims)).await.unwrap();
    let (before, held) = (
        store.history(&key(1)).await.unwrap().unwrap(),
        store.keeping().pauses(COMPANY).await.unwrap(),
    );
    store.close().await;
    change(
        &path,
        "CREATE TRIGGER full BEFORE INSERT ON acts BEGIN SELECT raise(ABORT, 'no room'); END",
    );
    let store = Sqlite::open_on(&path, Arc::new(clock.clone())).unwrap();
    let keeping = store.keeping();
    assert!(keeping.erase(erase()).await.is_err());
    assert!(keeping.purge(purge(&clock)).await.is_err());
    assert!(keeping.pause(pause(None, PauseOf::Proposals)).await.is_err());
    assert!(keeping.resume(resume(None, PauseOf::Claims)).await.is_err());
    assert_eq!(store.history(&key(1)).await.unwrap().unwrap(), before, "it is as it was");
    assert_eq!(keeping.pauses(COMPANY).await.unwrap(), held, "and so is what is held back");
    assert_eq!(acts(&store).await.len(), 1);
    let nobodys = Purge { by: None, ..purge(&clock) };
    assert_eq!(keeping.purge(nobodys).await.unwrap().removed, 1, "retention needs none");
}

/// A store whose record of what operators did was changed by hand says so, and one that was not does not.
#[tokio::test(flavor = "multi_thread")]
async fn what_operators_did_fits_what_is_there_or_it_is_said() {
    let clock = noon();
    let memory = Memory::on_clock(Arc::new(clock.clone()));
    one_of_each(&memory, &clock).await;
    assert_eq!(memory.keeping().verify(COMPANY).await.unwrap(), Vec::<String>::new());
    for (statement, expected) in [
        ("DELETE FROM acts WHERE number = 2", "without gaps"),
        ("UPDATE acts SET operations = 0 WHERE act = 'purge'", "of another kind"),
        ("UPDATE acts SET operations = 7 WHERE act = 'purge'", "are gone"),
        (
            "UPDATE operations SET account = NULL, erased_at = 1, erased_salt = zeroblob(16)",
            "blanked",
        ),
        ("INSERT INTO pauses VALUES ('outfitters', 'claims', '', 1, 'bob', 'x')", "held back"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("operations.db");
        let store = Sqlite::open_on(&path, Arc::new(clock.clone())).unwrap();
        one_of_each(&store, &clock).await;
        ended(&store, 2).await;
        ended(&store, 3).await;
        assert_eq!(store.keeping().verify(COMPANY).await.unwrap(), Vec::<String>::new());
        store.close().await;
        damage(&path, statement);
        let store = Sqlite::open_on(&path, Arc::new(clock.clone())).unwrap();
        let lines = store.keeping().verify(COMPANY).await.unwrap();
        let said =
            |line: &String| line.starts_with("what operators did: ") && line.contains(expected);
        assert!(lines.iter().any(said), "{statement}: {lines:?}");
        store.close().await;
    }
}
