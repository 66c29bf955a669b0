//! The admin router: what operators do, as JSON, behind the company's own sign-in.
//!
//! | request | body, or query | answer |
//! | --- | --- | --- |
//! | `POST /find` | [`Find`](form::Find) | [`Listing`](form::Listing) |
//! | `GET /operations/{id}` | `terms=true` for what it says | [`Shown`](form::Shown) |
//! | `POST /operations/{id}/settle` | [`Settle`](form::Settle) | [`Settled`](form::Settled) |
//! | `POST /operations/{id}/ask-now` | [`AskNow`](form::AskNow) | [`Asking`](form::Asking) |
//! | `GET /open-work` | | [`OpenWork`](form::OpenWork) |
//! | `GET /pauses` | | [`Pauses`](form::Pauses) |
//! | `POST /pause` | [`HoldBack`](form::HoldBack) | [`Pauses`](form::Pauses) |
//! | `POST /resume` | [`HoldBack`](form::HoldBack) | [`Resumed`](form::Resumed) |
//! | `GET /acts` | [`ReadActs`](form::ReadActs) | [`Acts`](form::Acts) |
//! | `GET /events` | [`Events`](form::Events) | [`Feed`](form::Feed) |
//! | `POST /export` | [`ExportAccount`](form::ExportAccount) | [`Exported`](form::Exported) |
//! | `POST /erase` | [`EraseAccount`](form::EraseAccount) | [`Erased`](form::Erased) |
//! | `POST /purge` | [`PurgeAction`](form::PurgeAction) | [`Purged`](form::Purged) |
//! | `GET /verify` | | [`Verified`](form::Verified) |
//!
//! What is not done is a [`Fault`](form::Fault). Accounts and references are in bodies, as paths end up in
//! access logs. Every `POST` takes `Content-Type: application/json` only, which a page of another site cannot
//! send without being asked first.

mod change;
mod fault;
mod guard;
mod read;

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use http::StatusCode;
use http::header::{CACHE_CONTROL, HeaderValue};
use pap_runtime::operators::Operators;

pub use guard::{Guard, May, Operator};

#[cfg(doc)]
use crate::form;
use fault::Refused;

/// Bodies are ids and a few sentences.
const BODY_MAX: usize = 64 * 1024;

/// What operators do, to be nested in a company's own router.
///
/// `guard` says who asks, from what the company's own sign-in left on the request: it is called for every
/// request, and what it refuses is not done. The name that it answers is the one on record; no request can
/// state another. There is no router without a guard.
///
/// # Examples
///
/// The company's middleware looks a session up, and the guard reads what it left:
///
/// ```
/// use axum::Router;
/// use axum::extract::Request;
/// use axum::middleware::{Next, from_fn};
/// use axum::response::Response;
/// use http::StatusCode;
/// use http::request::Parts;
/// use pap_ops::Operator;
/// use pap_runtime::operators::Operators;
///
/// /// Whoever is signed in to the back office.
/// #[derive(Clone)]
/// struct Staff {
///     name: String,
///     is_on_call: bool,
/// }
///
/// async fn signed_in(mut request: Request, next: Next) -> Response {
///     if let Some(staff) = look_up(request.headers()).await {
///         request.extensions_mut().insert(staff);
///     }
///     next.run(request).await
/// }
///
/// fn operator(request: &Parts) -> Result<Operator, StatusCode> {
///     let staff = request.extensions.get::<Staff>().ok_or(StatusCode::UNAUTHORIZED)?;
///     let operator = Operator::named(&staff.name);
///     Ok(if staff.is_on_call { operator } else { operator.who_only_reads() })
/// }
///
/// fn back_office(operators: Operators) -> Router {
///     let admin = pap_ops::router(operators, operator);
///     Router::new().nest("/operations-admin", admin).layer(from_fn(signed_in))
/// }
/// # async fn look_up(_: &http::HeaderMap) -> Option<Staff> { None }
/// # let store = std::sync::Arc::new(pap_runtime::store::memory::Memory::new());
/// # let _router = back_office(Operators::over(store, "Example Outfitters"));
/// ```
pub fn router(operators: Operators, guard: impl Guard) -> Router {
    let guard: Arc<dyn Guard> = Arc::new(guard);
    Router::new()
        .route("/find", post(read::find))
        .route("/operations/{id}", get(read::show))
        .route("/operations/{id}/settle", post(change::settle))
        .route("/operations/{id}/ask-now", post(change::ask_now))
        .route("/open-work", get(read::open_work))
        .route("/pauses", get(read::pauses))
        .route("/pause", post(change::pause))
        .route("/resume", post(change::resume))
        .route("/acts", get(read::acts))
        .route("/events", get(read::events))
        .route("/export", post(read::export))
        .route("/erase", post(change::erase))
        .route("/purge", post(change::purge))
        .route("/verify", get(read::verify))
        .with_state(operators)
        .layer(DefaultBodyLimit::max(BODY_MAX))
        .layer(from_fn_with_state(guard, guarded))
        .layer(from_fn(kept_by_nobody))
}

/// Nothing of a request is carried out before the guard has said who asks.
async fn guarded(State(guard): State<Arc<dyn Guard>>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    match guard.operator(&parts) {
        // what is changed is kept with a name
        Ok(operator) if operator.who().trim().is_empty() => {
            tracing::error!("the guard let somebody in without a name");
            Refused::by_guard(StatusCode::FORBIDDEN).into_response()
        }
        Ok(operator) => {
            parts.extensions.insert(operator);
            next.run(Request::from_parts(parts, body)).await
        }
        Err(status) => Refused::by_guard(status).into_response(),
    }
}

/// Answers are about people: no cache keeps them.
async fn kept_by_nobody(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
