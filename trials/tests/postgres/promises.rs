//! Every promise of the contract, each as a test of its own.

use std::sync::Arc;

use pap_runtime::store::Store;
use pap_runtime::store::conformance;
use pap_runtime::store::postgres::Postgres;

use crate::server::fresh;

macro_rules! of_postgres {
    ($($promise:ident)*) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $promise() {
                conformance::$promise(async |clock| {
                    let store = Postgres::connect(fresh().on_clock(clock)).await.unwrap();
                    let store: Arc<dyn Store> = Arc::new(store);
                    store
                })
                .await;
            }
        )*
    };
}

pap_runtime::for_each_store_promise! { of_postgres }
