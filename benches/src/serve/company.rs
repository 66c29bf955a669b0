//! The runtime as a company uses it: one declared operation over a durable store, behind HTTP.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::Router;
use axum::http::request::Parts;
use pap_runtime::http::{SessionToken, Sessions, TokenRefused};
use pap_runtime::store::Store;
use pap_runtime::store::postgres::{Config, Postgres};
use pap_runtime::store::sqlite::Sqlite;
use pap_runtime::value::Money;
use pap_runtime::{
    ApprovedBy, Company, ConfirmRequest, Confirmed, ExtensionDescriptor, Operation, Outcome,
    Session, Shape, operation, operations, succeeded,
};
use serde::{Deserialize, Serialize};
use tokio::task::JoinSet;

use super::Place;
use crate::agent::{ORIGIN, TOKEN};
use crate::error::Error;
use crate::usage::now;

/// So many callers make operations at the same time.
const MAKERS: u64 = 128;

/// A company without anything behind it: what is measured is the runtime.
#[derive(Debug)]
struct Shop;

/// What came of it.
#[derive(Debug, Serialize, Deserialize, Shape)]
struct Exchanged {
    /// The shop's number for the exchange.
    exchange_id: String,
    /// The shop's number for the item's way back.
    return_id: String,
}

/// Exchanges one item of an order.
#[operation(
    action = "orders.exchange",
    route = "POST /orders/{order_id}/exchanges",
    scopes = ["orders:write"],
    summary = "Exchange item {item_id} on order {order_id} for {replacement_sku}, for {price_difference} more, charged to the card used for the order.",
    terms = { order_id: String, item_id: String, replacement_sku: String, price_difference: Money },
    id_prefix = "exc",
    reconcile = operator
)]
async fn exchange(_shop: &Shop, op: Confirmed<ExchangeTerms>) -> Outcome<Exchanged> {
    let exchanged =
        Exchanged { exchange_id: op.id().as_str().to_owned(), return_id: "rtn_8Lp3".to_owned() };
    succeeded("The exchange is placed. The insulated jacket ships today.", exchanged)
}

/// The one token that there is.
#[derive(Debug)]
struct OneAgent(Session);

impl Sessions for OneAgent {
    fn session<'a>(
        &'a self,
        token: &'a SessionToken,
        _request: &'a Parts,
    ) -> Pin<Box<dyn Future<Output = Result<Session, TokenRefused>> + Send + 'a>> {
        let known = token.as_str() == TOKEN;
        let session = if known { Ok(self.0.clone()) } else { Err(TokenRefused::Invalid) };
        Box::pin(std::future::ready(session))
    }
}

/// A handle of the company.
#[derive(Clone)]
pub(super) struct Measured {
    company: Company<Shop>,
    session: Session,
    orders: Arc<AtomicU64>,
}

impl Measured {
    /// Starts the company over what is kept there.
    pub(super) async fn open(place: Place<'_>, thumbprint: &str) -> Result<Self, Error> {
        let store: Arc<dyn Store> = match place {
            Place::Folder(folder) => {
                Arc::new(Sqlite::open(folder.join("operations.db")).map_err(Error::of)?)
            }
            Place::Database(url) => {
                let config = Config::at(url).single_node().without_pooler();
                Arc::new(Postgres::connect(config).await.map_err(Error::of)?)
            }
        };
        let listed = ("operations".to_owned(), ExtensionDescriptor::new("1"));
        let session = Session::new("ses_1", "https://agent.example/client.json", "usr_ada")
            .signed_in("acc_ada", ["orders:write"])
            .bound_to(thumbprint)
            .with_extensions(BTreeMap::from([listed]));
        let company = Company::builder(Shop)
            .name("Example Outfitters")
            .origin(ORIGIN)
            .sessions(OneAgent(session.clone()))
            .shared_store(store)
            .operations(operations![exchange])
            .start()
            .await
            .map_err(Error::of)?;
        // operations of earlier openings keep their orders
        let first = u64::try_from(now())?;
        let orders = Arc::new(AtomicU64::new(first << 32));
        Ok(Self { company, session, orders })
    }

    /// Makes so many operations to confirm, and answers them in the order in which they were made: confirms
    /// follow proposals in time.
    pub(super) async fn propose(&self, count: u64) -> Result<Vec<String>, Error> {
        let made = self.each(count, |measured| async move {
            let order = measured.orders.fetch_add(1, Ordering::Relaxed);
            Ok((order, measured.proposed(order).await?.operation_id))
        });
        let mut made = made.await?;
        made.sort_unstable_by_key(|(order, _)| *order);
        Ok(made.into_iter().map(|(_, id)| id.as_str().to_owned()).collect())
    }

    /// Makes so many operations that have ended.
    pub(super) async fn end(&self, count: u64) -> Result<(), Error> {
        let ended = self.each(count, |measured| async move {
            let order = measured.orders.fetch_add(1, Ordering::Relaxed);
            let proposed = measured.proposed(order).await?;
            let confirm = ConfirmRequest::new(proposed.revision, ApprovedBy::User);
            let id = proposed.operation_id.as_str();
            let ended = measured.company.confirm(&measured.session, id, confirm).await;
            ended.map(drop).map_err(Error::of)
        });
        ended.await.map(drop)
    }

    pub(super) fn router(self) -> Router {
        self.company.in_front_of(Router::new())
    }

    async fn proposed(&self, order: u64) -> Result<Operation, Error> {
        let terms = ExchangeTerms {
            order_id: format!("ord_{order:x}"),
            item_id: "itm_4Qa".to_owned(),
            replacement_sku: "stormline-insulated-m".to_owned(),
            price_difference: Money::usd("70.00").map_err(Error::of)?,
        };
        self.company.propose::<exchange>(&self.session, terms).await.map_err(Error::of)
    }

    async fn each<T: Send + 'static, F>(
        &self,
        count: u64,
        make: impl Fn(Self) -> F + Copy + Send + 'static,
    ) -> Result<Vec<T>, Error>
    where
        F: Future<Output = Result<T, Error>> + Send,
    {
        let mut makers = JoinSet::new();
        for maker in 0..MAKERS {
            let share = count / MAKERS + u64::from(maker < count % MAKERS);
            let measured = self.clone();
            makers.spawn(async move {
                let mut made = Vec::new();
                for _ in 0..share {
                    made.push(make(measured.clone()).await?);
                }
                Ok::<_, Error>(made)
            });
        }
        let mut all = Vec::new();
        while let Some(made) = makers.join_next().await {
            all.extend(made.map_err(Error::of)??);
        }
        Ok(all)
    }
}
