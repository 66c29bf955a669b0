//! Tables: made once by one of many, looked at, printed, refused.

use pap_runtime::store::Store as _;
use pap_runtime::store::postgres::migrate::Tables;
use pap_runtime::store::postgres::{Postgres, migrate};
use tokio::task::JoinSet;

use crate::draft::{LIFE, now, operation, propose};
use crate::server::{fresh, schema, shared};

/// E17: of many nodes that start at the same time one migrates, and all of them work. Row E17.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_nodes_that_start_at_once_one_migrates() {
    let config = fresh();
    let starts: JoinSet<_> = (0..8).map(|_| Postgres::connect(config.clone())).collect();
    for (number, store) in (1..).zip(starts.join_all().await) {
        let store = store.unwrap();
        store.begin_life(LIFE).await.unwrap();
        propose(&store, operation(number, now())).await;
    }
}

/// A team whose service may not change tables runs what is printed, as somebody else.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_service_that_may_not_change_tables_works_on_printed_ones() {
    let (name, role) = (schema(), format!("service_{}", schema()));
    let owner = fresh().schema(&name);
    assert_eq!(migrate::check(&owner).await.unwrap(), Tables::None);
    let printed = migrate::print(&owner).await.unwrap();
    shared().psql(&format!("CREATE ROLE {role} LOGIN")).unwrap();
    let url = shared().url().replace("postgres@", &format!("{role}@"));
    let service = pap_runtime::store::postgres::Config::at(url).schema(&name).single_node();

    let refused = Postgres::connect(service.clone().migrate(false)).await.unwrap_err().to_string();
    for way in ["pap-ops migrate --print", "postgres::migrate::apply"] {
        assert!(refused.contains(way), "{refused}");
    }
    let refused = Postgres::connect(service.clone()).await.unwrap_err().to_string();
    assert!(refused.contains("permission denied"), "{refused}");

    shared().psql(&format!("BEGIN; {printed}; COMMIT")).unwrap();
    shared()
        .psql(&format!(
            "GRANT USAGE ON SCHEMA {name} TO {role}; \
             GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {name} TO {role}; \
             GRANT USAGE ON ALL SEQUENCES IN SCHEMA {name} TO {role}"
        ))
        .unwrap();
    assert_eq!(migrate::check(&service).await.unwrap(), Tables::Ready);
    assert_eq!(migrate::print(&service).await.unwrap(), "");
    let store = Postgres::connect(service.migrate(false)).await.unwrap();
    store.begin_life(LIFE).await.unwrap();
    propose(&store, operation(1, now())).await;
}

/// Tables that a newer runtime has changed past this one are left alone; those that still suit it are not.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn tables_of_a_newer_version_are_used_only_where_they_suit() {
    let name = schema();
    let config = fresh().schema(&name);
    migrate::apply(&config).await.unwrap();
    let newer = |works_from: &str| {
        let set = format!(
            "UPDATE {name}.meta SET value = '99' WHERE name = 'schema_version'; \
             UPDATE {name}.meta SET value = '{works_from}' WHERE name = 'works_from'"
        );
        shared().psql(&set).unwrap();
    };
    newer("1");
    assert_eq!(migrate::check(&config).await.unwrap(), Tables::Newer(99));
    Postgres::connect(config.clone()).await.unwrap();
    newer("99");
    let refused = Postgres::connect(config).await.unwrap_err().to_string();
    assert!(refused.contains("schema version 99"), "{refused}");
}

/// Tables that somebody changed, or that an earlier form of their version made, are refused before anything is done.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn tables_that_lack_something_are_refused_with_what_to_type() {
    for (change, lacks) in [
        ("DROP FUNCTION pap.acted", "lack `acted`"),
        ("DROP TABLE pap.purged; DROP VIEW pap.feed", "lack `purged`, `feed`"),
        (
            "DROP FUNCTION pap.erase; CREATE FUNCTION pap.erase(bigint) RETURNS int LANGUAGE sql AS 'SELECT 1'",
            "lack `erase`",
        ),
    ] {
        let name = schema();
        let config = fresh().schema(&name);
        migrate::apply(&config).await.unwrap();
        shared().psql(&change.replace("pap.", &format!("{name}."))).unwrap();
        let refused = [
            Postgres::connect(config.clone()).await.map(drop).unwrap_err(),
            migrate::check(&config).await.map(drop).unwrap_err(),
            migrate::apply(&config).await.unwrap_err(),
        ];
        for refused in refused.map(|error| error.to_string()) {
            assert!(refused.contains(lacks) && refused.contains(".schema("), "{change}: {refused}");
        }
    }
}
