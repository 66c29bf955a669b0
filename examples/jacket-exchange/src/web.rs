//! The website's routes as they were before agents came: a signed-in visitor's exchange is done at once.

use axum::extract::{Path, State};
use axum::http::header::COOKIE;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{get, post};
use axum::{Json, Router};
use rusqlite::OptionalExtension as _;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::shop::{Fault, ItemId, OrderId, Shop, Sku};

type Answer = Result<Json<Value>, (StatusCode, Json<Value>)>;

/// The website's router.
pub fn router(shop: Shop) -> Router {
    Router::new()
        .route("/orders/{order_id}", get(order))
        .route("/orders/{order_id}/exchanges", post(exchange_at_once))
        .with_state(shop)
}

async fn order(
    State(shop): State<Shop>,
    Path(order_id): Path<String>,
    headers: HeaderMap,
) -> Answer {
    let account = account(&shop, &headers).await?;
    let order = shop.order(Some(&account), &OrderId(order_id)).await.map_err(broken)?;
    let order = order.ok_or_else(|| no(StatusCode::NOT_FOUND, "there is no such order"))?;
    Ok(Json(json!({ "order_id": order.id, "delivered": order.delivered })))
}

#[derive(Deserialize)]
struct Exchange {
    item_id: ItemId,
    replacement_sku: Sku,
}

/// What the website's form posts. Its button has shown the price already.
async fn exchange_at_once(
    State(shop): State<Shop>,
    Path(order_id): Path<String>,
    headers: HeaderMap,
    Json(asked): Json<Exchange>,
) -> Answer {
    let account = account(&shop, &headers).await?;
    let order = shop.order(Some(&account), &OrderId(order_id)).await.map_err(broken)?;
    let order = order.ok_or_else(|| no(StatusCode::NOT_FOUND, "there is no such order"))?;
    let item = shop.item(&order.id, &asked.item_id).await.map_err(broken)?;
    let item = item.ok_or_else(|| no(StatusCode::NOT_FOUND, "there is no such item"))?;
    let product = shop.product(&asked.replacement_sku).await.map_err(broken)?;
    let product = product.ok_or_else(|| no(StatusCode::NOT_FOUND, "we do not sell that"))?;
    if product.price_cents != item.price_cents {
        return Err(no(StatusCode::CONFLICT, "the website exchanges for the same price only"));
    }
    let key = getrandom::u64().map_err(|_none| broken(Fault::NoAnswer("random numbers")))?;
    let key = format!("web:{key:016x}");
    let placed = shop.place_exchange(&item.id, &asked.replacement_sku, None, key).await;
    let return_id = placed.map_err(|refused| no(StatusCode::CONFLICT, &refused.to_string()))?;
    Ok(Json(json!({ "exchanged_for": asked.replacement_sku, "return_id": return_id })))
}

/// The account behind the website's cookie.
async fn account(shop: &Shop, headers: &HeaderMap) -> Result<String, (StatusCode, Json<Value>)> {
    let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|cookies| cookies.split(';')).map(str::trim);
    let cookie = pairs.find_map(|pair| pair.strip_prefix("web_session=")).map(str::to_owned);
    let select = "SELECT account FROM web_sessions WHERE cookie = ?1";
    let account = shop.database.transaction(move |tx| {
        Ok::<_, Fault>(tx.query_row(select, [cookie], |row| row.get(0)).optional()?)
    });
    let account: Option<String> = account.await.map_err(broken)?;
    account.ok_or_else(|| no(StatusCode::UNAUTHORIZED, "sign in on our website"))
}

fn no(status: StatusCode, why: &str) -> (StatusCode, Json<Value>) {
    (status, Json(json!({ "message": why })))
}

#[expect(clippy::needless_pass_by_value, reason = "the argument of `map_err`")]
fn broken(fault: Fault) -> (StatusCode, Json<Value>) {
    tracing::error!(%fault, "the website could not answer");
    no(StatusCode::INTERNAL_SERVER_ERROR, "please try again")
}
