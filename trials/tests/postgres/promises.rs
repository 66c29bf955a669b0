//! Every promise of the contract, each as a test of its own.

use std::sync::Arc;

use pap_runtime::store::Store;
use pap_runtime::store::conformance;
use pap_runtime::store::postgres::Postgres;

use crate::server::{apart, fresh};

/// Promises of the feed that hold for as long as nobody else writes.
const FOLLOWS: [&str; 6] = [
    "the_feed_tells_what_is_on_record",
    "reading_goes_on_after_any_event",
    "a_company_reads_its_own_feed_alone",
    "the_feed_passes_nothing_over_while_many_write",
    "the_place_of_an_event_is_never_given_again",
    "many_read_one_feed",
];

macro_rules! of_postgres {
    ($($promise:ident)*) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $promise() {
                // the feed waits for every transaction of a server: there it has one of its own
                let own = FOLLOWS.contains(&stringify!($promise)).then(apart);
                conformance::$promise(async |clock| {
                    let config = own.as_ref().map_or_else(fresh, |(_, config)| config.clone());
                    let config = config.without_pooler().on_clock(clock);
                    let store = Postgres::connect(config).await.unwrap();
                    let store: Arc<dyn Store> = Arc::new(store);
                    store
                })
                .await;
            }
        )*
    };
}

pap_runtime::for_each_store_promise! { of_postgres }
