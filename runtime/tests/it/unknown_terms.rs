//! A process whose code does not know what was approved leaves it alone.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use pap_runtime::{
    Company, Confirmed, Finding, NotOffered, Operations, Outcome, Proposal, Retry, Terms, happened,
    operation, operations, succeeded,
};
use serde::{Deserialize, Serialize};

use crate::shop::{
    Act, EXCHANGES, ExchangeRequest, JACKET, OPERATIONS, ORIGIN, Shop, Street, gift_note,
};

/// What a later form of the code takes for the terms of an exchange.
#[derive(Serialize, Deserialize, Terms)]
#[terms(version = 2, summary = "Exchange {item_id} on order {order_id}.")]
pub struct LaterTerms {
    pub order_id: String,
    pub item_id: String,
}

pub enum LaterExchange {}

/// Exchanges one item of a delivered order.
#[operation(action = "orders.exchange", route = "POST /orders/{order_id}/exchanges",
            scopes = ["orders:write"], identity(order_id, item_id))]
impl LaterExchange {
    async fn propose(request: ExchangeRequest) -> Result<Proposal<LaterTerms>, NotOffered> {
        let ExchangeRequest { order_id, item_id, .. } = request;
        Ok(Proposal::new(LaterTerms { order_id, item_id }))
    }

    async fn perform(shop: &Arc<Shop>, op: Confirmed<LaterTerms>) -> Outcome {
        shop.effects.fetch_add(1, Ordering::SeqCst);
        succeeded(format!("Exchanged {}.", op.terms.item_id), ())
    }

    async fn reconcile(shop: &Arc<Shop>, op: &Confirmed<LaterTerms>) -> Result<Finding, Retry> {
        shop.asks.fetch_add(1, Ordering::SeqCst);
        happened(format!("Exchanged {}.", op.terms.item_id), ())
    }
}

/// What a person was called to.
type Calls = Arc<Mutex<Vec<String>>>;

/// The next process on the same store, with other code.
async fn next(street: Street, operations: Operations<Arc<Shop>>, calls: &Calls) -> Street {
    let Street { shop, clock, sessions, store, company, dir, .. } = street;
    company.close().await.unwrap();
    drop(company);
    let company = Company::builder(Arc::clone(&shop))
        .name("Example Outfitters")
        .origin(ORIGIN)
        .sessions(sessions.clone())
        .shared_store(Arc::clone(&store))
        .operations(operations)
        .on_attention({
            let calls = Arc::clone(calls);
            move |attention| calls.lock().unwrap().push(attention.id.to_string())
        })
        .start()
        .await
        .unwrap();
    let router = company.in_front_of(Router::new());
    Street { shop, clock, sessions, company, router, store, dir }
}

/// OPS-3-14 OPS-6-7
#[tokio::test]
async fn terms_that_the_code_does_not_know_are_not_performed_and_a_person_is_called() {
    for operations in [operations![LaterExchange], operations![gift_note]] {
        let street = Street::in_memory().await;
        let ada = street.ada();
        let confirmed = street.propose(&ada).await;
        street.shop.act(Act::HandOver);
        street.confirm(&ada, &confirmed).await.state("in_progress");
        let other = r#"{ "item_id": "itm_other", "replacement_sku": "x" }"#;
        let proposed = street.post(&ada, EXCHANGES, other).await;
        let proposed = proposed.json["operation"]["operation_id"].as_str().unwrap();

        let calls = Calls::default();
        let next = next(street, operations, &calls).await;
        next.read(&ada, proposed).await.state("proposed");
        next.confirm(&ada, proposed).await.is(503, "temporarily_unavailable");
        next.read(&ada, proposed).await.state("proposed");

        next.clock.advance(Duration::from_secs(3600 + 601));
        assert_eq!(next.company.ask_due().await.unwrap(), 0, "it keeps its hands off");
        next.company.sweep().await.unwrap();
        let called = calls.lock().unwrap().clone();
        assert_eq!(called, [confirmed], "a person is called");
        let work = next.company.operators().open_work().await.unwrap();
        assert_eq!((work[0].in_progress, work[0].attention), (1, 1));
        let asks = next.shop.asks.load(Ordering::SeqCst);
        assert_eq!((next.shop.effects(), asks), (0, 0));
    }
}

/// OPS-3.1-1 OPS-4-3
#[tokio::test]
async fn asking_again_for_what_an_older_form_of_the_code_proposed_is_its_next_revision() {
    let street = Street::in_memory().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    let next = next(street, operations![LaterExchange], &Calls::default()).await;
    let again = next.post(&ada, EXCHANGES, JACKET).await;
    let operation = &again.json["operation"];
    assert_eq!(
        (&operation["operation_id"], &operation["revision"]),
        (&id.as_str().into(), &2.into())
    );
    assert_eq!(operation["summary"], "Exchange itm_4Qa on order ord_7Hk2.");
    assert_eq!(next.post(&ada, EXCHANGES, JACKET).await.text, again.text);
    let latest = r#"{ "revision": 2, "approved_by": "user" }"#;
    next.post(&ada, &format!("{OPERATIONS}/{id}/confirm"), latest).await.state("succeeded");
    assert_eq!(next.shop.effects(), 1);
}
