//! The HTTP edge: a company's existing router keeps its callers, and agents are answered in front of it.
//!
//! Only this module knows headers; the status of a refusal comes with its code. It takes the operations endpoint, and those requests
//! on declared routes that carry `Authorization: DPoP`; everything else passes through untouched.

mod authenticate;
mod body;
mod respond;
mod route;

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::OriginalUri;
use axum::http::request::Parts;
use axum::http::{Request, Response};
use pap_protocol::discovery::operations_entry;
use pap_protocol::extensions::ExtensionDescriptor;
use pap_protocol::operation::ConfirmRequest;
use tower::{ServiceExt as _, service_fn};

pub use crate::sessions::{SessionToken, Sessions, TokenRefused};

use crate::action::Action;
use crate::company::{Company, Edge, cancel_proved, confirm_proved, propose_json, read_proved};
use crate::engine::Engine;
use crate::refusal::Refusal;
use authenticate::{Caller, authenticate};
use respond::{allow_only, answer, no_such_route, proposed, refused};
use route::{Endpoint, Target, endpoint, has_dpop, misspelled, proposing};

impl<S: Send + Sync + 'static> Company<S> {
    /// Puts this company in front of an existing router.
    ///
    /// The operations endpoint is answered here, and so are requests on the declared routes that carry
    /// `Authorization: DPoP`; where such a request is a declared route but for its spelling (a slash too
    /// many, an escaped letter), the answer is 404. Every other request, on the same paths too, reaches
    /// `router` as it came: web and mobile callers keep what they have.
    pub fn in_front_of(&self, router: Router) -> Router {
        if self.edge.sessions.is_none() {
            tracing::error!("the company has no `.sessions(…)`: every token will be refused");
        }
        let front = Front { engine: Arc::clone(&self.engine), edge: Arc::clone(&self.edge) };
        Router::new().fallback_service(service_fn(move |request: Request<Body>| {
            let (front, router) = (front.clone(), router.clone());
            // in a box at once: the layers around it would each move all of it
            Box::pin(front.answer(request, router))
        }))
    }

    /// The members of `extensions` in the company's `poppy.json` (section 2).
    pub fn extensions(&self) -> BTreeMap<String, ExtensionDescriptor> {
        let entry = operations_entry(&self.edge.endpoint_url, self.edge.resource.as_deref());
        BTreeMap::from([("operations".to_owned(), entry)])
    }
}

#[derive(Clone)]
struct Front {
    engine: Arc<Engine>,
    edge: Arc<Edge>,
}

impl Front {
    async fn answer(
        self,
        request: Request<Body>,
        router: Router,
    ) -> Result<Response<Body>, Infallible> {
        let path = request.uri().path();
        if let Some(target) = endpoint(path, &self.edge.endpoint) {
            return Ok(self.endpoint(target, request).await);
        }
        if has_dpop(request.headers()) {
            let method = request.method();
            if let Some((action, parameters)) = proposing(&self.engine, method, path) {
                let action = Arc::clone(action);
                let answered = self.propose(&action, &parameters, request).await;
                return Ok(answered.unwrap_or_else(|refusal| refused(&refusal, Channel::Api)));
            }
            if misspelled(&self.engine, method, path) {
                return Ok(no_such_route());
            }
        }
        router.oneshot(request).await
    }

    async fn propose(
        &self,
        action: &Arc<dyn Action>,
        parameters: &[(String, String)],
        request: Request<Body>,
    ) -> Result<Response<Body>, Refusal> {
        let (parts, body) = request.into_parts();
        let caller = self.caller(&parts).await?;
        let json = match body::json(&parts, body).await {
            Ok(json) => body::with_parameters(&action.declaration().request, &json, parameters),
            Err(refusal) => Err(refusal),
        };
        let json = match json {
            Ok(json) => json,
            Err(refusal) => return self.engine.refuse(Some(&caller.proof), refusal).await,
        };
        let stored =
            propose_json(&self.engine, action, &caller.session, &json, Some(&caller.proof)).await?;
        proposed(&stored, self.engine.settings.retry_after)
    }

    async fn endpoint(&self, endpoint: Endpoint, request: Request<Body>) -> Response<Body> {
        let (id, target) = match endpoint {
            Endpoint::Unknown => return no_such_route(),
            Endpoint::Operation { id, target } => (id, target),
        };
        if request.method() != target.method() {
            return allow_only(&target.method());
        }
        let answered = self.operation(&id, target, request).await;
        answered.unwrap_or_else(|refusal| refused(&refusal, Channel::Endpoint))
    }

    async fn operation(
        &self,
        id: &str,
        target: Target,
        request: Request<Body>,
    ) -> Result<Response<Body>, Refusal> {
        let (parts, body) = request.into_parts();
        let caller = self.caller(&parts).await?;
        let (session, proof) = (&caller.session, Some(&caller.proof));
        let stored = match target {
            Target::Read => {
                let as_set = self.engine.clock.as_set();
                self.edge.read_proofs.first_use(&caller.proof, as_set)?;
                read_proved(&self.engine, session, id).await?
            }
            Target::Cancel => cancel_proved(&self.engine, session, id, proof).await?,
            Target::Confirm => {
                let confirm = match body::bytes(&parts, body).await {
                    Ok(bytes) => ConfirmRequest::from_json(&bytes)
                        .map_err(|error| Refusal::InvalidRequest(error.to_string())),
                    Err(refusal) => Err(refusal),
                };
                match confirm {
                    Ok(confirm) => {
                        confirm_proved(&self.engine, session, id, confirm, proof).await?
                    }
                    Err(refusal) => return self.engine.refuse(proof, refusal).await,
                }
            }
        };
        answer(&stored, self.engine.settings.retry_after)
    }

    async fn caller(&self, parts: &Parts) -> Result<Caller, Refusal> {
        // the path as the agent wrote it, also when this router is nested under another
        let path = parts
            .extensions
            .get::<OriginalUri>()
            .map_or_else(|| parts.uri.path(), |original| original.0.path());
        let caller = authenticate(&self.edge, &*self.engine.clock, parts, path).await?;
        failpoint!("http.proved", await);
        Ok(caller)
    }
}

/// Where a refusal is answered: the company's own channels name the extension in a challenge, the
/// protocol's endpoint in the body only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Channel {
    Api,
    Endpoint,
}
