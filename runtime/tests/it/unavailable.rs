//! Something that the company stands on does not answer: nothing is performed, and the agent may ask
//! again.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use axum::Router;
use axum::http::Method;
use axum::http::request::Parts;
use pap_runtime::clock::Clock;
use pap_runtime::http::{SessionToken, Sessions, TokenRefused};
use pap_runtime::store::sqlite::Sqlite;
use pap_runtime::testing::TestAgent;
use pap_runtime::{Company, Session, operations};

use crate::shop::{BY_USER, EXCHANGES, Exchange, JACKET, OPERATIONS, ORIGIN, Shop, Street};

/// Asks for everything there is to ask for.
async fn every_answer_is_to_ask_again(street: &Street, ada: &TestAgent, id: &str) {
    for (method, url, body) in [
        (Method::POST, EXCHANGES.to_owned(), Some(JACKET)),
        (Method::GET, format!("{OPERATIONS}/{id}"), None),
        (Method::POST, format!("{OPERATIONS}/{id}/confirm"), Some(BY_USER)),
        (Method::POST, format!("{OPERATIONS}/{id}/cancel"), None),
    ] {
        let answer = street.send(ada.request(method.clone(), &url, body)).await;
        answer.is(503, "temporarily_unavailable");
        assert_eq!(answer.header("retry-after"), Some("1"), "{method} {url}");
    }
    assert_eq!(street.shop.effects(), 0);
}

#[tokio::test]
async fn while_the_store_does_not_answer_nothing_is_performed() {
    let (dir, clock) = (tempfile::tempdir().unwrap(), crate::shop::clock());
    let shared: Arc<dyn Clock> = Arc::new(clock.clone());
    let sqlite = Sqlite::open_on(dir.path().join("operations.db"), shared).unwrap();
    let street = Street::around(Shop::new(), Arc::new(sqlite.clone()), clock, Some(dir)).await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    let before = street.on_record();
    sqlite.close().await;
    every_answer_is_to_ask_again(&street, &ada, &id).await;
    assert_eq!(street.on_record(), before);
}

struct Down;

impl Sessions for Down {
    fn session<'a>(
        &'a self,
        _token: &'a SessionToken,
        _request: &'a Parts,
    ) -> Pin<Box<dyn Future<Output = Result<Session, TokenRefused>> + Send + 'a>> {
        Box::pin(async { Err(TokenRefused::Unavailable) })
    }
}

#[tokio::test]
async fn while_no_token_can_be_looked_up_nothing_is_performed() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    let company = Company::builder(street.shop.clone())
        .name("Example Outfitters")
        .origin(ORIGIN)
        .sessions(Down)
        .shared_store(street.store.clone())
        .operations(operations![Exchange])
        .start()
        .await
        .unwrap();
    let down = Street { router: company.in_front_of(Router::new()), company, ..street };
    every_answer_is_to_ask_again(&down, &ada, &id).await;
    assert_eq!(down.on_record(), [1, 1, 1]);
}
