//! Session Tokens and proofs for tests over HTTP.

use std::collections::{BTreeMap, HashMap};
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{Method, Request};
use pap_protocol::dpop::{Key, prove};
use pap_protocol::extensions::ExtensionDescriptor;

use crate::clock::{Clock, SystemClock};
use crate::http::{SessionToken, Sessions, TokenRefused};
use crate::session::Session;

/// Sessions that a test makes and ends. Clones share them.
///
/// Addresses given to an agent begin with the company's origin: proofs are made for them, and the router
/// sees the path. The answer to a proposal has the operation in `operation`; it is confirmed at
/// `/poppy/operations/{operation_id}/confirm`, or below the path that the builder was given.
///
/// # Examples
///
/// ```
/// use axum::Router;
/// use axum::http::Method;
/// use pap_runtime::testing::TestSessions;
/// use pap_runtime::{Company, Session};
/// # use pap_runtime::{Confirmed, Outcome, operation, operations, succeeded};
/// # use pap_runtime::store::memory::Memory;
/// # use tower::ServiceExt as _;
/// # struct Shop;
/// # /// Adds a gift note.
/// # #[operation(action = "orders.gift_note", route = "POST /orders/{order_id}/gift-note", scopes = ["orders:write"],
/// #             summary = "Put the note “{note}” into order {order_id}.",
/// #             terms = { order_id: String, note: String }, reconcile = operator)]
/// # async fn gift_note(shop: &Shop, op: Confirmed<GiftNoteTerms>) -> Outcome { succeeded("Done.", ()) }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let sessions = TestSessions::new();
/// let company = Company::builder(Shop)
///     .name("Example Outfitters")
///     .origin("https://api.example.com")
///     .sessions(sessions.clone())
///     .store(Memory::new())
///     .operations(operations![gift_note])
///     .start()
///     .await?;
/// let app = company.in_front_of(Router::new());
///
/// let session = Session::new("ses_1", "https://agent.example/agent.json", "usr_ada");
/// let agent = sessions.token_for(session.signed_in("acc_ada", ["orders:write"]));
/// let url = "https://api.example.com/orders/ord_7Hk2/gift-note";
/// let request = agent.request(Method::POST, url, Some(r#"{"note":"Happy birthday"}"#));
/// let answer = app.oneshot(request).await?;
/// assert_eq!(answer.status(), 202);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct TestSessions {
    live: Arc<Mutex<HashMap<String, Session>>>,
    clock: Arc<dyn Clock>,
}

impl TestSessions {
    /// No Session yet; proofs are made on the machine's clock.
    pub fn new() -> Self {
        Self::on_clock(Arc::new(SystemClock))
    }

    /// The same, with proofs made on this clock.
    pub fn on_clock(clock: Arc<dyn Clock>) -> Self {
        Self { live: Arc::default(), clock }
    }

    /// A token for this Session, bound to a new key. The Session lists the operations extension if it
    /// lists none.
    ///
    /// # Panics
    ///
    /// If the system gives no random bytes.
    pub fn token_for(&self, session: Session) -> TestAgent {
        let key = Key::generate().unwrap_or_else(|error| cannot_go_on(&error));
        let mut session = session.bound_to(key.thumbprint());
        if session.extensions.is_empty() {
            session.extensions =
                BTreeMap::from([("operations".to_owned(), ExtensionDescriptor::new("1"))]);
        }
        let token = format!("sat_{}", key.thumbprint());
        self.live().insert(token.clone(), session.clone());
        TestAgent { session, token, key: Arc::new(key), clock: Arc::clone(&self.clock) }
    }

    /// Changes the Session behind a token, such as by signing it out: the token stays the same.
    pub fn change(&self, agent: &TestAgent, change: impl FnOnce(Session) -> Session) {
        let mut live = self.live();
        if let Some(session) = live.remove(&agent.token) {
            live.insert(agent.token.clone(), change(session));
        }
    }

    /// Ends the token.
    pub fn revoke(&self, agent: &TestAgent) {
        self.live().remove(&agent.token);
    }

    fn live(&self) -> MutexGuard<'_, HashMap<String, Session>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[expect(clippy::panic, reason = "a test cannot go on without a key or a proof")]
fn cannot_go_on<T>(error: &dyn std::fmt::Display) -> T {
    panic!("the test cannot go on: {error}")
}

impl Default for TestSessions {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for TestSessions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TestSessions").finish_non_exhaustive()
    }
}

impl Sessions for TestSessions {
    fn session<'a>(
        &'a self,
        token: &'a SessionToken,
        _request: &'a Parts,
    ) -> Pin<Box<dyn Future<Output = Result<Session, TokenRefused>> + Send + 'a>> {
        let session = self.live().get(token.as_str()).cloned();
        Box::pin(std::future::ready(session.ok_or(TokenRefused::Invalid)))
    }
}

/// An agent with a Session Token and the key it is bound to.
#[derive(Clone)]
pub struct TestAgent {
    session: Session,
    token: String,
    key: Arc<Key>,
    clock: Arc<dyn Clock>,
}

impl TestAgent {
    /// The Session, as it was when the token was made.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The Session Token.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// The key.
    pub fn key(&self) -> &Key {
        &self.key
    }

    /// A new proof for one request.
    ///
    /// # Panics
    ///
    /// If the system gives no random bytes.
    pub fn proof(&self, method: &Method, url: &str) -> String {
        let iat = self.clock.now().as_millis().div_euclid(1000);
        prove(&self.key, method.as_str(), url, Some(&self.token), iat, None)
            .unwrap_or_else(|error| cannot_go_on(&error))
    }

    /// A request with the token and a new proof: to `url`, of which the router sees the path. With a
    /// body, as JSON.
    ///
    /// # Panics
    ///
    /// If the system gives no random bytes.
    pub fn request(&self, method: Method, url: &str, json: Option<&str>) -> Request<Body> {
        let proof = self.proof(&method, url);
        self.request_proved(method, url, json, &proof)
    }

    /// The same with a given proof, such as one that was used before.
    pub fn request_proved(
        &self,
        method: Method,
        url: &str,
        json: Option<&str>,
        proof: &str,
    ) -> Request<Body> {
        let after_scheme = url.strip_prefix("https://").unwrap_or(url);
        let path = after_scheme.find('/').and_then(|at| after_scheme.get(at..)).unwrap_or("/");
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("authorization", format!("DPoP {}", self.token))
            .header("dpop", proof);
        let request = match json {
            Some(json) => {
                request.header("content-type", "application/json").body(Body::from(json.to_owned()))
            }
            None => request.body(Body::empty()),
        };
        request.unwrap_or_default()
    }
}

impl std::fmt::Debug for TestAgent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TestAgent").field("session", &self.session).finish_non_exhaustive()
    }
}
