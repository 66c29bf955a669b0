//! Counting goes a piece at a time, whatever there is to count.

use std::sync::Arc;

use pap_runtime::store::sqlite::Sqlite;
use pap_runtime::store::{Count, CountOf, Counted, Store};
use pap_runtime::value::Instant;

use crate::draft::{COMPANY, noon};

/// More than one piece holds.
const MANY: u32 = 10_000;

#[tokio::test(flavor = "multi_thread")]
async fn what_takes_several_pieces_is_counted_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("operations.db");
    Sqlite::open_on(&path, Arc::new(noon())).unwrap().close().await;
    let insert = format!(
        "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {MANY})
         INSERT INTO operations (company, operation_id, action, client, user, account, session, state, revision,
                                 expires_at, place, result_summary, ended_at)
         SELECT '{COMPANY}', 'op_' || n, 'orders.exchange', 'agent', 'u1', 'acct', 's1',
                iif(n % 10, 'cancelled', 'proposed'), 1, 9, iif(n % 10, NULL, zeroblob(32)),
                iif(n % 10, 'No.', NULL), iif(n % 10, n % 10, NULL)
         FROM numbers"
    );
    rusqlite::Connection::open(&path).unwrap().execute_batch(&insert).unwrap();
    let store = Sqlite::open_on(&path, Arc::new(noon())).unwrap();
    let count = async |of| {
        let count = Count { company: COMPANY.to_owned(), of };
        store.keeping().count(count).await.unwrap()
    };
    let (action, ended_before) = ("orders.exchange".to_owned(), Instant::from_millis(9));
    let old = count(CountOf::Purge { action, ended_before }).await;
    assert_eq!(old, Counted { would: MANY / 10 * 8, open: MANY / 10 });
    let of_account = count(CountOf::Erase { account: "acct".to_owned() }).await;
    assert_eq!(of_account, Counted { would: MANY / 10 * 9, open: MANY / 10 });
}
