//! How the shop adopts the toolkit: it describes itself as a Company, and is put in front of its router.

use std::sync::Arc;
use std::time::Duration;

use axum::routing::get;
use axum::{Json, Router};
use pap_runtime::Company;
use pap_runtime::company::StartError;
use pap_runtime::store::Store;
use serde_json::json;

use crate::operations::operations;
use crate::sessions::SessionTable;
use crate::shop::Shop;
use crate::web;

/// Where the shop's API is, as its Personal Agents see it.
pub const ORIGIN: &str = "https://api.example.com";

/// The shop as a Company, and everything that it serves.
///
/// # Errors
///
/// [`StartError`] if the store does not take this process.
pub async fn open(
    shop: Shop,
    store: Arc<dyn Store>,
) -> Result<(Company<Shop>, Router), StartError> {
    let company = Company::builder(shop.clone())
        .name("Example Outfitters")
        .origin(ORIGIN)
        .sessions(SessionTable::of(&shop))
        .shared_store(store)
        .operations(operations())
        // so that the story is short; the defaults suit a shop
        .retry_after(Duration::from_secs(1))
        .ask_again(Duration::from_millis(200), Duration::from_secs(2))
        .start()
        .await?;
    let document = json!({
        "protocol_version": "0.2",
        "organization": { "name": "Example Outfitters", "domain": "example.com" },
        "auth": { "issuer": ORIGIN },
        "extensions": company.extensions(),
    });
    let website = web::router(shop)
        .route("/.well-known/poppy.json", get(move || async move { Json(document) }));
    let app = company.in_front_of(website);
    Ok((company, app))
}
