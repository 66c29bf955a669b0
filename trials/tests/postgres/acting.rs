//! What operators did, on a server: kept in the transaction that does it, and without a name that was blanked.

use std::time::Duration;

use pap_protocol::operation::State;
use pap_runtime::store::postgres::{Config, Postgres};
use pap_runtime::store::{Erase, FinishBy, Keeping as _, PauseOf, Purge, Store as _};
use pap_runtime::value::Instant;

use crate::draft::{
    COMPANY, acts, by, claim_of, done, finish, key, now, operation, pause, propose, resume, ticket,
};
use crate::server::{PATIENCE, answers, connection, fresh, schema, shared};

async fn ended(store: &Postgres, number: u32) {
    let mut new = operation(number, now());
    new.owner.account = Some("acc_ada".to_owned());
    propose(store, new).await;
    let mut claim = claim_of(number, 1);
    claim.by.account = Some("acc_ada".to_owned());
    assert!(done(&store.claim(claim).await.unwrap()));
    let by = FinishBy::Performer(ticket(number * 1_000 + 1));
    assert!(done(&store.finish(finish(number, by, State::Succeeded)).await.unwrap()));
}

fn erase() -> Erase {
    Erase { company: COMPANY.to_owned(), account: "acc_ada".to_owned(), limit: 9, by: by() }
}

fn purge() -> Purge {
    Purge {
        company: COMPANY.to_owned(),
        action: "orders.exchange".to_owned(),
        ended_before: Instant::from_millis(i64::MAX),
        after: None,
        limit: 9,
        by: Some(by()),
    }
}

async fn place() -> (Postgres, Config, String) {
    let name = schema();
    let config = fresh().schema(&name);
    (Postgres::connect(config.clone()).await.unwrap(), config, name)
}

/// What was done is there for whoever connects later, and of an account that was blanked no row says a word.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_operators_did_outlives_the_connection_and_names_no_account() {
    let (store, config, name) = place().await;
    for number in 1..=3 {
        ended(&store, number).await;
    }
    let client = connection(shared()).await;
    let tables = format!(
        "SELECT c.relname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
         WHERE n.nspname = '{name}' AND c.relkind = 'r'"
    );
    let tables: Vec<String> =
        client.query(&tables, &[]).await.unwrap().iter().map(|row| row.get(0)).collect();
    let says = async |word: &str| {
        let mut says = Vec::new();
        for table in &tables {
            let count = format!(
                "SELECT count(*) FROM {name}.{table} AS t WHERE position('{word}' IN t::text) > 0"
            );
            let count: i64 = client.query_one(&count, &[]).await.unwrap().get(0);
            says.extend((count > 0).then(|| table.clone()));
        }
        says
    };
    assert!(!says("acc_ada").await.is_empty(), "it is there before");
    assert_eq!(store.erase(erase()).await.unwrap().erased, 3);
    assert_eq!(says("acc_ada").await, Vec::<String>::new(), "and not after");
    assert_eq!(says("request 17").await, ["acts"], "why is");
    assert_eq!(store.purge(purge()).await.unwrap().removed, 3);
    let before = acts(&store).await;
    let told: Vec<_> = before.iter().map(|act| (act.number, act.operations)).collect();
    assert_eq!(told, [(1, 3), (2, 3)]);
    drop(store);
    assert_eq!(acts(&Postgres::connect(config).await.unwrap()).await, before);
}

/// No purge, erasure, pause or end of a pause is ever without its act: what cannot be kept is not done. Nor is what
/// was done changed by hand.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nothing_is_done_whose_act_cannot_be_kept() {
    let (store, _, name) = place().await;
    ended(&store, 1).await;
    store.pause(pause(None, PauseOf::Claims)).await.unwrap();
    let client = connection(shared()).await;
    for by_hand in
        ["UPDATE acts SET who = 'bob'", "UPDATE acts SET operations = 9", "DELETE FROM acts"]
    {
        let by_hand = by_hand.replace("acts", &format!("{name}.acts"));
        let refused = client.batch_execute(&by_hand).await.unwrap_err();
        let message = refused.as_db_error().unwrap().message().to_owned();
        assert!(message.starts_with("what was done stays on record"), "{by_hand}: {message}");
    }
    let full = format!(
        "CREATE TRIGGER is_full BEFORE INSERT ON {name}.acts FOR EACH ROW EXECUTE FUNCTION {name}.refuse('no room')"
    );
    client.batch_execute(&full).await.unwrap();
    let history = store.history(&key(1)).await.unwrap().unwrap();
    let held = store.pauses(COMPANY).await.unwrap();
    assert!(store.erase(erase()).await.is_err());
    assert!(store.purge(purge()).await.is_err());
    assert!(store.pause(pause(None, PauseOf::Proposals)).await.is_err());
    assert!(store.resume(resume(None, PauseOf::Claims)).await.is_err());
    let mut after = store.history(&key(1)).await.unwrap().unwrap();
    after.stored.now = history.stored.now;
    assert_eq!(after, history, "it is as it was");
    assert_eq!(store.pauses(COMPANY).await.unwrap(), held, "and so is what is held back");
    assert_eq!(acts(&store).await.len(), 1);
    assert_eq!(store.purge(Purge { by: None, ..purge() }).await.unwrap().removed, 1, "retention");
}

/// Holding back waits for no purge that waits for a row.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_pause_does_not_wait_for_a_purge_that_waits() {
    let name = schema();
    let config = fresh().schema(&name).lock_within(2 * PATIENCE).answer_within(2 * PATIENCE);
    let store = Postgres::connect(config).await.unwrap();
    ended(&store, 1).await;
    let mut client = connection(shared()).await;
    let holds = client.transaction().await.unwrap();
    holds.batch_execute(&format!("SELECT FROM {name}.operations FOR UPDATE")).await.unwrap();
    let removes = store.clone();
    let removing = tokio::spawn(async move { removes.purge(purge()).await.unwrap().removed });
    let waits = format!(
        "SELECT count(*)::text FROM pg_stat_activity \
         WHERE wait_event_type = 'Lock' AND query LIKE '%{name}.%'"
    );
    answers(&connection(shared()).await, &waits, "1").await;
    tokio::time::timeout(Duration::from_secs(30), store.pause(pause(None, PauseOf::Claims)))
        .await
        .unwrap()
        .unwrap();
    holds.commit().await.unwrap();
    assert_eq!(removing.await.unwrap(), 1);
    let numbers: Vec<_> =
        acts(&store).await.iter().map(|act| (act.number, act.kind.word())).collect();
    assert_eq!(numbers, [(1, "pause"), (2, "purge")]);
}

/// Tables whose record of what operators did was changed by hand say so.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_operators_did_fits_what_is_there_or_it_is_said() {
    let (store, _, name) = place().await;
    for number in 1..=2 {
        ended(&store, number).await;
        assert_eq!(store.erase(erase()).await.unwrap().erased, 1);
    }
    store.pause(pause(None, PauseOf::Claims)).await.unwrap();
    assert_eq!(store.verify(COMPANY).await.unwrap(), Vec::<String>::new());
    assert_eq!(store.purge(Purge { limit: 1, ..purge() }).await.unwrap().removed, 1);
    assert_eq!(store.verify(COMPANY).await.unwrap(), Vec::<String>::new());
    let client = connection(shared()).await;
    let by_hand = format!(
        "ALTER TABLE {name}.acts DISABLE TRIGGER USER; \
         DELETE FROM {name}.acts WHERE act <> 'purge'; UPDATE {name}.acts SET operations = 2"
    );
    client.batch_execute(&by_hand).await.unwrap();
    let lines = store.verify(COMPANY).await.unwrap();
    for said in ["without gaps", "operations are blanked", "are gone", "held back"] {
        assert!(lines.iter().any(|line| line.contains(said)), "{said}: {lines:?}");
    }
}
