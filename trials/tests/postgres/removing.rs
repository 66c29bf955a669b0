//! What is removed and blanked while others write about it: it goes whole, and keeps no word.

use pap_protocol::operation::State;
use pap_runtime::store::postgres::Postgres;
use pap_runtime::store::{
    CloseProposed, Closing, Erase, Erased, EventKind, Keeping as _, Late, Purge, Store as _,
};
use pap_runtime::value::Instant;
use tokio_postgres::{Client, Transaction};

use crate::draft::{COMPANY, by, done, key, now, operation, propose};
use crate::server::{PATIENCE, answers, connection, fresh, schema, shared};

/// A store that waits for rows as long as the test holds them, and what the test looks and holds with.
struct Place {
    store: Postgres,
    schema: String,
    looks: Client,
}

impl Place {
    async fn new() -> Self {
        let schema = schema();
        let config = fresh().schema(&schema).lock_within(2 * PATIENCE).answer_within(2 * PATIENCE);
        let store = Postgres::connect(config).await.unwrap();
        Self { store, schema, looks: connection(shared()).await }
    }

    /// Proposes an operation of this account.
    async fn proposed(&self, number: u32, account: &str) {
        let mut operation = operation(number, now());
        operation.owner.account = Some(account.to_owned());
        propose(&self.store, operation).await;
    }

    async fn close(&self, number: u32) {
        let summary = "Nothing was changed.".to_owned();
        let (key, closing) = (key(number), Closing::Cancelled);
        let close = CloseProposed { key, closing, summary, proof: None };
        assert!(done(&self.store.close_proposed(close).await.unwrap()));
    }

    /// Waits until so many wait for a lock in this schema.
    async fn wait(&self, many: u32) {
        let count = format!(
            "SELECT count(*)::text FROM pg_stat_activity \
             WHERE wait_event_type = 'Lock' AND query LIKE '%{}.%'",
            self.schema
        );
        answers(&self.looks, &count, &many.to_string()).await;
    }

    /// Holds a row of a table until the transaction ends.
    async fn hold<'c>(&self, client: &'c mut Client, table: &str, number: u32) -> Transaction<'c> {
        let (schema, id) = (&self.schema, key(number).id);
        let by = if table == "operations" { "key" } else { "operation" };
        let holds = client.transaction().await.unwrap();
        let hold = format!(
            "SELECT FROM {schema}.{table} WHERE {by} = \
             (SELECT key FROM {schema}.operations WHERE operation_id = '{id}') FOR UPDATE"
        );
        assert_eq!(holds.query(&hold, &[]).await.unwrap().len(), 1);
        holds
    }

    /// Removes whatever has ended.
    async fn purge(&self) -> u32 {
        let purge = Purge {
            company: COMPANY.to_owned(),
            action: "orders.exchange".to_owned(),
            ended_before: Instant::from_millis(i64::MAX),
            after: None,
            limit: 9,
            by: None,
        };
        self.store.purge(purge).await.unwrap().removed
    }

    /// Blanks what has ended of this account.
    async fn erase(&self, account: &str) -> u32 {
        self.blank(account).await.erased
    }

    async fn blank(&self, account: &str) -> Erased {
        let (company, account) = (COMPANY.to_owned(), account.to_owned());
        self.store.erase(Erase { company, account, limit: 9, by: by() }).await.unwrap()
    }

    async fn late(&self, number: u32) {
        let what = "the warehouse says otherwise".to_owned();
        let late = Late { key: key(number), state: Some(State::Failed), what };
        drop(self.store.record_late(late).await);
    }

    async fn assert_whole(&self) {
        assert_eq!(self.store.verify(COMPANY).await.unwrap(), Vec::<String>::new());
    }
}

/// E20: what is blanked, or gets a late outcome, at the very moment at which it is removed, goes whole.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_is_removed_takes_along_what_others_write_at_that_moment() {
    let place = Place::new().await;
    let mut client = connection(shared()).await;
    for number in 1..=2 {
        place.proposed(number, "acct").await;
        place.close(number).await;
        // whoever comes first holds the row a little longer than usual
        let holds = place.hold(&mut client, "operations", number).await;
        let writes = async {
            if number == 1 {
                place.erase("acct").await;
            } else {
                place.late(2).await;
            }
        };
        let removes = async {
            place.wait(1).await;
            place.purge().await
        };
        let lets_go = async {
            place.wait(2).await;
            holds.commit().await.unwrap();
        };
        let ((), removed, ()) = tokio::join!(writes, removes, lets_go);
        assert_eq!(removed, 1);
        assert!(place.store.read(&key(number)).await.unwrap().is_none());
        place.assert_whole().await;
    }
}

/// E20: what ends while others are being removed, and is blanked at once, is not removed by halves: not with
/// these, and whole the next time.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_ends_while_others_are_removed_stays_or_goes_whole() {
    let place = Place::new().await;
    place.proposed(1, "one").await;
    place.close(1).await;
    place.proposed(2, "other").await;
    let (mut one, mut other) = (connection(shared()).await, connection(shared()).await);
    let holds_first = place.hold(&mut one, "operations", 1).await;
    let holds_second = place.hold(&mut other, "revisions", 2).await;
    let removes = place.purge();
    let ends = async {
        // it has looked, and waits for the first
        place.wait(1).await;
        place.close(2).await;
        place.erase("other").await
    };
    let lets_go = async {
        // the second is blanked, and that is not committed
        place.wait(2).await;
        holds_first.commit().await.unwrap();
        // the first is gone, or the second is waited for
        let (schema, id) = (&place.schema, key(1).id);
        let next = format!(
            "SELECT (NOT EXISTS (SELECT FROM {schema}.operations WHERE operation_id = '{id}') \
             OR 2 = (SELECT count(*) FROM pg_stat_activity \
                     WHERE wait_event_type = 'Lock' AND query LIKE '%{schema}.%'))::text"
        );
        answers(&place.looks, &next, "true").await;
        holds_second.commit().await.unwrap();
    };
    let (removed, blanked, ()) = tokio::join!(removes, ends, lets_go);
    assert_eq!((removed, blanked), (1, 1), "what had ended before it looked");
    place.assert_whole().await;
    assert!(place.store.read(&key(2)).await.unwrap().unwrap().erased.is_some());
    assert_eq!(place.purge().await, 1, "and the other the next time");
    place.assert_whole().await;
}

/// E20: what ends while others of its account are blanked is blanked in the next step: none is left that is neither
/// blanked nor told to be there.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_ends_while_others_are_blanked_is_blanked_too() {
    let place = Place::new().await;
    for number in 1..=3 {
        place.proposed(number, "acct").await;
    }
    place.close(1).await;
    let mut client = connection(shared()).await;
    let holds = place.hold(&mut client, "operations", 1).await;
    let ends = async {
        // it has looked, and waits for the first
        place.wait(1).await;
        place.close(2).await;
        holds.commit().await.unwrap();
    };
    let (blanked, ()) = tokio::join!(place.blank("acct"), ends);
    assert_eq!((blanked.erased, blanked.open, blanked.more), (1, 1, true), "there is one more");
    let blanked = place.blank("acct").await;
    assert_eq!((blanked.erased, blanked.open, blanked.more), (1, 1, false));
    assert!(place.store.read(&key(2)).await.unwrap().unwrap().erased.is_some());
    place.assert_whole().await;
}

/// E20: a late outcome that comes while its operation is blanked, or afterwards, leaves no word on record.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_comes_late_while_it_is_blanked_leaves_no_word() {
    let place = Place::new().await;
    let mut client = connection(shared()).await;
    for (number, late_first) in [(1, true), (2, false)] {
        let account = format!("account {number}");
        place.proposed(number, &account).await;
        place.close(number).await;
        let holds = place.hold(&mut client, "operations", number).await;
        // whoever comes second comes when the first waits
        let comes = async {
            place.wait(u32::from(!late_first)).await;
            place.late(number).await;
        };
        let blanks = async {
            place.wait(u32::from(late_first)).await;
            assert_eq!(place.erase(&account).await, 1);
        };
        let lets_go = async {
            place.wait(2).await;
            holds.commit().await.unwrap();
        };
        tokio::join!(comes, blanks, lets_go);
        let history = place.store.history(&key(number)).await.unwrap().unwrap();
        assert_eq!(
            history.events.iter().filter(|event| event.kind == EventKind::LateOutcome).count(),
            1
        );
        assert!(!format!("{history:?}").contains("warehouse"), "{number}: {history:?}");
        place.assert_whole().await;
    }
}
