//! What Prometheus reads.

use std::sync::Arc;
use std::time::Duration;

use pap_ops::prometheus::Prometheus;
use pap_runtime::meter::{Meter as _, names};
use pap_runtime::operators::Operators;
use pap_runtime::store::memory::Memory;
use pap_runtime::store::sqlite::Sqlite;
use pap_runtime::{ApprovedBy, ConfirmRequest};

use crate::shop::{COMPANY, SECRET, Shop, opening};

async fn shop() -> Shop {
    let clock = opening();
    let store = Memory::on_clock(Arc::new(clock.clone()));
    Shop::open(Arc::new(store), clock).with_all().await
}

#[tokio::test]
async fn a_scrape_tells_what_happened_and_nothing_of_a_users() {
    let shop = shop().await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/metrics", listener.local_addr().unwrap());
    let router = shop.prometheus.clone().router(shop.operators());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    let answer = reqwest::get(address).await.unwrap();
    let kind = answer.headers()["content-type"].to_str().unwrap().to_owned();
    assert_eq!(kind, "application/openmetrics-text; version=1.0.0; charset=utf-8");
    let page = answer.text().await.unwrap();
    assert!(page.ends_with("# EOF\n") && !page.contains(SECRET) && !page.contains("acc_ada"));
    let samples: Vec<&str> =
        page.lines().filter(|line| !line.starts_with('#') && !line.contains("_seconds")).collect();
    insta::assert_snapshot!(sorted(samples));
}

#[tokio::test]
async fn every_stable_name_is_told_once_there_is_something_to_tell() {
    let prometheus = Prometheus::new();
    for name in names::ALL {
        prometheus.count(name, &[("action", "orders.exchange")]);
        prometheus.took(name, &[("action", "orders.exchange")], Duration::from_millis(7));
    }
    let page = prometheus.page(&shop().await.operators()).await.unwrap();
    for name in names::ALL {
        let sample = |line: &str| {
            line.starts_with(&format!("{name}{{"))
                || line.starts_with(&format!("{name}_bucket{{"))
                || line.starts_with(&format!("{name} "))
        };
        assert!(page.lines().any(sample), "{name} is not on the page:\n{page}");
    }
}

fn sorted(mut lines: Vec<&str>) -> String {
    lines.sort_unstable();
    lines.join("\n")
}

#[tokio::test]
async fn a_label_that_is_not_known_is_left_out() {
    let prometheus = Prometheus::new();
    let labels = [("action", "orders.exchange"), ("account", "acc_ada")];
    prometheus.count(names::PROPOSALS, &labels);
    prometheus.took(names::CONFIRM_SECONDS, &labels, Duration::from_millis(7));
    prometheus.count("pap_unheard_of_total", &labels);
    let page = prometheus.page(&shop().await.operators()).await.unwrap();
    assert!(page.contains(r#"pap_proposals_total{action="orders.exchange"} 1"#), "{page}");
    assert!(
        page.contains(r#"pap_confirm_seconds_bucket{le="0.01",action="orders.exchange"} 1"#),
        "{page}"
    );
    assert!(!page.contains("acc_ada") && !page.contains("unheard"), "{page}");
}

#[tokio::test]
async fn a_store_that_does_not_answer_is_told_and_the_counts_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let store = Sqlite::open(folder.path().join("operations.db")).unwrap();
    let prometheus = Prometheus::new();
    let operators = Operators::over(Arc::new(store.clone()), COMPANY);
    let page = prometheus.page(&operators).await.unwrap();
    assert!(page.contains("pap_store_answers 1"), "{page}");
    store.close().await;
    prometheus.count(names::PROPOSALS, &[("action", "orders.exchange")]);
    let page = prometheus.page(&operators).await.unwrap();
    assert!(
        page.contains("pap_store_answers 0") && page.contains("pap_proposals_total{"),
        "{page}"
    );
    assert!(!page.contains(names::IN_PROGRESS), "an old number is no number: {page}");
}

#[tokio::test]
async fn a_confirm_that_is_held_back_is_counted_as_refused() {
    let clock = opening();
    let mut shop = Shop::open(Arc::new(Memory::on_clock(Arc::new(clock.clone()))), clock);
    let id = shop.propose("open", "is open").await;
    shop.types("pause orders.exchange --claims --who ada --why 'the warehouse is flooded'").await;
    let request = ConfirmRequest::new(1_u32.try_into().unwrap(), ApprovedBy::User);
    shop.company.confirm(&Shop::session(), id.as_str(), request).await.unwrap_err();
    let page = shop.prometheus.page(&shop.operators()).await.unwrap();
    let refused = r#"pap_confirms_total{action="orders.exchange",outcome="refused"} 1"#;
    assert!(page.contains(refused), "{page}");
}
