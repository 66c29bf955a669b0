//! Every promise of the contract, for every store, each as a test of its own.

use std::sync::Arc;

use pap_runtime::store::Store;
use pap_runtime::store::conformance;
use pap_runtime::store::memory::Memory;
use pap_runtime::store::sqlite::Sqlite;

macro_rules! of_every_store {
    ($($promise:ident)*) => {
        mod memory {
            use super::*;

            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
                async fn $promise() {
                    conformance::$promise(async |clock| {
                        let store: Arc<dyn Store> = Arc::new(Memory::on_clock(clock));
                        store
                    })
                    .await;
                }
            )*
        }

        mod sqlite {
            use super::*;

            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
                async fn $promise() {
                    let folder = tempfile::tempdir().unwrap();
                    let path = folder.path().join("operations.db");
                    conformance::$promise(async |clock| {
                        let sqlite = Sqlite::open_on(&path, clock).unwrap();
                        let store: Arc<dyn Store> = Arc::new(sqlite);
                        store
                    })
                    .await;
                }
            )*
        }
    };
}

pap_runtime::for_each_store_promise! { of_every_store }
