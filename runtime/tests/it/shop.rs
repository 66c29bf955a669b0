//! A shop whose exchange does what a test says, and counts its effects.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, Response, StatusCode};
use axum::routing::post;
use http_body_util::BodyExt;
use pap_runtime::clock::{Clock, SetClock};
use pap_runtime::store::Store;
use pap_runtime::store::memory::Memory;
use pap_runtime::store::sqlite::Sqlite;
use pap_runtime::testing::{TestAgent, TestSessions};
use pap_runtime::value::{Instant, Money};
use pap_runtime::{
    Company, Confirmed, Fence, Finding, NotOffered, OrSay, Outcome, Proposal, Recheck, Retry,
    Session, Shape, Shown, StopAnswer, Terms, did_not_and_cannot, failed_after, failed_unchanged,
    handed_over, happened, not_seen_yet, operation, operations, partly, stopped_unchanged,
    succeeded, unknown,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::Notify;
use tower::ServiceExt;

pub const ORIGIN: &str = "https://api.example.com";
pub const EXCHANGES: &str = "https://api.example.com/orders/ord_7Hk2/exchanges";
pub const OPERATIONS: &str = "https://api.example.com/poppy/operations";

/// What `perform` does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    Succeed,
    Decline,
    FailPartway,
    Unknown,
    HandOver,
    Panic,
    /// Waits until the test lets it go, then succeeds.
    Wait,
    /// Waits until the User asks to stop, then stops.
    WaitForStop,
    /// Puts a checkpoint on record, then effects.
    Remember,
    /// Notes a change, then says that nothing was changed.
    Contradict,
    /// Waits until the test lets it go, then puts a checkpoint on record, then effects.
    WaitThenRemember,
}

/// What `reconcile` answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Find {
    Happened,
    Partly,
    FencedDownstream,
    FencedByCheckpoint,
    /// Answers the checkpoint's fence without looking.
    Mistaken,
    NotSeenYet,
    Error,
    Panic,
}

/// What `recheck` answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    Same,
    Dearer,
    Gone,
}

#[derive(Debug)]
pub struct Shop {
    pub effects: AtomicU32,
    pub proposals: AtomicU32,
    pub asks: AtomicU32,
    pub stops: AtomicU32,
    pub act: Mutex<Act>,
    pub finds: Mutex<VecDeque<Find>>,
    pub look: Mutex<Look>,
    pub price: Mutex<&'static str>,
    pub performed: Mutex<Vec<String>>,
    pub let_go: Notify,
    pub started: Notify,
}

impl Shop {
    pub fn new() -> Arc<Self> {
        Arc::new(Self {
            effects: AtomicU32::new(0),
            proposals: AtomicU32::new(0),
            asks: AtomicU32::new(0),
            stops: AtomicU32::new(0),
            act: Mutex::new(Act::Succeed),
            finds: Mutex::default(),
            look: Mutex::new(Look::Same),
            price: Mutex::new("70.00"),
            performed: Mutex::default(),
            let_go: Notify::new(),
            started: Notify::new(),
        })
    }

    pub fn act(&self, act: Act) {
        *self.act.lock().unwrap() = act;
    }

    pub fn find(&self, finds: &[Find]) {
        *self.finds.lock().unwrap() = finds.iter().copied().collect();
    }

    pub fn look(&self, look: Look) {
        *self.look.lock().unwrap() = look;
    }

    pub fn effects(&self) -> u32 {
        self.effects.load(Ordering::SeqCst)
    }

    pub fn proposals(&self) -> u32 {
        self.proposals.load(Ordering::SeqCst)
    }

    fn effect(&self, terms: &ExchangeTerms) {
        self.effects.fetch_add(1, Ordering::SeqCst);
        self.performed.lock().unwrap().push(terms.replacement_sku.clone());
    }
}

#[derive(Debug, Serialize, Deserialize, Shape)]
pub struct ExchangeRequest {
    pub order_id: String,
    pub item_id: String,
    pub replacement_sku: String,
}

#[derive(Debug, Serialize, Deserialize, Terms)]
#[terms(
    summary = "Exchange the {item} on order {order_id} for the {replacement}, for {price_difference} more, \
                   charged to the card used for the order."
)]
pub struct ExchangeTerms {
    pub order_id: String,
    #[term(shown_as = item)]
    pub item_id: String,
    #[term(shown_as = replacement)]
    pub replacement_sku: String,
    #[term(charge)]
    pub price_difference: Money,
    #[term(private = "which stock hold to use; changes nothing the User decides")]
    pub hold: String,
    #[term(shown_only)]
    pub item: Shown,
    #[term(shown_only)]
    pub replacement: Shown,
}

#[derive(Debug, Serialize, Deserialize, Shape)]
pub struct Exchanged {
    pub exchange_id: String,
    pub return_id: String,
}

pub enum Exchange {}

/// Exchanges one item of a delivered order.
#[operation(action = "orders.exchange", route = "POST /orders/{order_id}/exchanges", scopes = ["orders:write"],
            identity(order_id, item_id), expires_in = "15m", id_prefix = "exc")]
impl Exchange {
    async fn propose(
        shop: &Arc<Shop>,
        session: &Session,
        request: ExchangeRequest,
    ) -> Result<Proposal<ExchangeTerms>, NotOffered> {
        shop.proposals.fetch_add(1, Ordering::SeqCst);
        tokio::task::yield_now().await;
        if request.order_id != "ord_7Hk2" {
            return Err(NotOffered::not_found("order_not_found", "there is no such order"));
        }
        if request.replacement_sku == "broken" {
            "not a number".parse::<u8>()?;
        }
        assert_ne!(request.replacement_sku, "panics", "a function of the company's panics");
        let price = *shop.price.lock().unwrap();
        let price = session.context::<&'static str>().copied().unwrap_or(price);
        let required = request.replacement_sku == "needs-user";
        let proposal = Proposal::new(ExchangeTerms {
            order_id: request.order_id,
            item_id: request.item_id,
            price_difference: Money::parse(price, "USD")?,
            hold: format!("hold-{}", request.replacement_sku),
            item: "Stormline Jacket (M)".into(),
            replacement: format!("Replacement {}", request.replacement_sku).into(),
            replacement_sku: request.replacement_sku,
        });
        Ok(if required { proposal.user_approval_required() } else { proposal })
    }

    pub(crate) async fn perform(
        shop: &Arc<Shop>,
        op: Confirmed<ExchangeTerms>,
    ) -> Outcome<Exchanged> {
        shop.started.notify_one();
        let act = *shop.act.lock().unwrap();
        match act {
            Act::Decline => return failed_unchanged("The card was declined; nothing was charged."),
            Act::FailPartway => {
                op.note_change("$70.00 was charged to the card ending in 4242").await;
                shop.effect(&op.terms);
                return failed_after(
                    ["The refund of $70.00 is under way"],
                    "The warehouse is out of it",
                );
            }
            Act::Unknown => {
                return Err::<(), _>("connection reset")
                    .or_unknown("warehouse")
                    .map(|()| unreachable!())?;
            }
            Act::HandOver => return handed_over("warehouse", Duration::from_secs(3600)),
            Act::Panic => panic!("a secret that no agent may read"),
            Act::Wait => shop.let_go.notified().await,
            Act::WaitForStop => {
                op.until_stop_requested().await;
                assert!(op.stop_requested());
                return stopped_unchanged("Stopped as you asked");
            }
            Act::Remember => op.remember("payment", &"pay_1").await?,
            Act::WaitThenRemember => {
                shop.let_go.notified().await;
                op.remember("payment", &"pay_1").await?;
            }
            Act::Contradict => {
                op.note_change("$70.00 was charged").await;
                return failed_unchanged("The card was declined");
            }
            Act::Succeed => {}
        }
        shop.effect(&op.terms);
        let exchanged =
            Exchanged { exchange_id: op.id().to_string(), return_id: "rtn_8Lp3".into() };
        succeeded("Exchange placed. The insulated jacket ships today.", exchanged)
    }

    async fn reconcile(
        shop: &Arc<Shop>,
        op: &Confirmed<ExchangeTerms>,
    ) -> Result<Finding<Exchanged>, Retry> {
        shop.asks.fetch_add(1, Ordering::SeqCst);
        let find = shop.finds.lock().unwrap().pop_front().unwrap_or(Find::NotSeenYet);
        match find {
            Find::Happened => happened(
                "The exchange had been placed.",
                Exchanged { exchange_id: op.id().to_string(), return_id: "rtn_8Lp3".into() },
            ),
            Find::Partly => partly(["$70.00 was charged"], "The jacket could not be sent"),
            Find::FencedDownstream => did_not_and_cannot(Fence::downstream("payment voided")),
            Find::FencedByCheckpoint => {
                assert_eq!(op.recalled::<String>("payment")?, None, "the fence rests on it");
                did_not_and_cannot(Fence::checkpoint("payment"))
            }
            Find::Mistaken => did_not_and_cannot(Fence::checkpoint("payment")),
            Find::NotSeenYet => not_seen_yet(),
            Find::Error => Err(Retry::because("the warehouse does not answer")),
            Find::Panic => panic!("the question panics"),
        }
    }

    async fn stop(shop: &Arc<Shop>, op: &Confirmed<ExchangeTerms>) -> Result<StopAnswer, Retry> {
        shop.stops.fetch_add(1, Ordering::SeqCst);
        let _ = op;
        Ok(StopAnswer::asked())
    }

    async fn recheck(
        shop: &Arc<Shop>,
        terms: &ExchangeTerms,
    ) -> Result<Recheck<ExchangeTerms>, NotOffered> {
        let look = *shop.look.lock().unwrap();
        Ok(match look {
            Look::Same => Recheck::Same,
            Look::Gone => Recheck::Gone("The jacket is sold out".to_owned()),
            Look::Dearer => Recheck::Changed(Proposal::new(ExchangeTerms {
                order_id: terms.order_id.clone(),
                item_id: terms.item_id.clone(),
                replacement_sku: terms.replacement_sku.clone(),
                price_difference: Money::parse("75.00", "USD")?,
                hold: terms.hold.clone(),
                item: "Stormline Jacket (M)".into(),
                replacement: "Replacement".into(),
            })),
        })
    }
}

/// Puts a gift note on an order.
#[operation(action = "orders.gift_note", route = "POST /orders/{order_id}/gift-note", scopes = [],
            summary = "Put the note “{note}” into order {order_id}.",
            terms = { order_id: String, note: String }, reconcile = operator)]
pub(crate) async fn gift_note(shop: &Arc<Shop>, op: Confirmed<GiftNoteTerms>) -> Outcome {
    shop.effects.fetch_add(1, Ordering::SeqCst);
    if op.terms.note == "lost" {
        return unknown("nobody saw it arrive");
    }
    succeeded("The note is in the parcel.", ())
}

/// A shop behind HTTP, with agents and a clock that the test moves.
pub struct Street {
    pub shop: Arc<Shop>,
    pub clock: SetClock,
    pub sessions: TestSessions,
    pub company: Company<Arc<Shop>>,
    pub router: Router,
    pub store: Arc<dyn Store>,
    pub dir: Option<tempfile::TempDir>,
}

impl Street {
    pub async fn in_memory() -> Self {
        let clock = clock();
        let store = Arc::new(Memory::on_clock(Arc::new(clock.clone())));
        Self::around(Shop::new(), store, clock, None).await
    }

    pub async fn on_sqlite() -> Self {
        let clock = clock();
        let dir = tempfile::tempdir().unwrap();
        let shared: Arc<dyn Clock> = Arc::new(clock.clone());
        let store = Arc::new(Sqlite::open_on(dir.path().join("operations.db"), shared).unwrap());
        Self::around(Shop::new(), store, clock, Some(dir)).await
    }

    pub async fn around(
        shop: Arc<Shop>,
        store: Arc<dyn Store>,
        clock: SetClock,
        dir: Option<tempfile::TempDir>,
    ) -> Self {
        let sessions = TestSessions::on_clock(Arc::new(clock.clone()));
        Self::around_with(shop, store, clock, dir, sessions).await
    }

    pub async fn around_with(
        shop: Arc<Shop>,
        store: Arc<dyn Store>,
        clock: SetClock,
        dir: Option<tempfile::TempDir>,
        sessions: TestSessions,
    ) -> Self {
        let company = Company::builder(Arc::clone(&shop))
            .name("Example Outfitters")
            .origin(ORIGIN)
            .sessions(sessions.clone())
            .shared_store(Arc::clone(&store))
            .operations(operations![Exchange, gift_note])
            .answer_within(Duration::from_secs(3))
            .start()
            .await
            .unwrap();
        let old = Router::new().route(
            "/orders/{order_id}/exchanges",
            post(|| async { "the old way" }).get(|| async { "a list" }),
        );
        let router = company.in_front_of(old);
        Self { shop, clock, sessions, company, router, store, dir }
    }

    /// Ends the company's life cleanly, and with it this process's hold on the store.
    pub async fn close(self) {
        self.company.close().await.unwrap();
    }

    /// The life that performs this operation is taken for dead, although its handler goes on.
    pub async fn pretend_dead(&self, id: &str) {
        let history = self.company.history(&id.parse().unwrap()).await.unwrap();
        let life = history.stored.running.unwrap().life;
        self.store.end_life(life).await.unwrap();
    }

    /// An agent of Ada's, signed in.
    pub fn ada(&self) -> TestAgent {
        self.agent("ses_1", "juniper", "ada", Some("acc_ada"))
    }

    pub fn agent(&self, id: &str, client: &str, user: &str, account: Option<&str>) -> TestAgent {
        let session = Session::new(id, format!("https://{client}.example/agent.json"), user);
        self.sessions.token_for(match account {
            Some(account) => session.signed_in(account, ["orders:read", "orders:write"]),
            None => session,
        })
    }

    pub async fn send(&self, request: Request<Body>) -> Answer {
        Answer::of(self.router.clone().oneshot(request).await.unwrap()).await
    }

    pub async fn post(&self, agent: &TestAgent, url: &str, json: &str) -> Answer {
        self.send(agent.request(Method::POST, url, Some(json))).await
    }

    pub async fn get(&self, agent: &TestAgent, url: &str) -> Answer {
        self.send(agent.request(Method::GET, url, None)).await
    }

    /// Proposes the jacket exchange and answers its id.
    pub async fn propose(&self, agent: &TestAgent) -> String {
        let answer = self.post(agent, EXCHANGES, JACKET).await;
        assert_eq!(answer.status, StatusCode::ACCEPTED, "{answer:?}");
        answer.json["operation"]["operation_id"].as_str().unwrap().to_owned()
    }

    pub async fn confirm(&self, agent: &TestAgent, id: &str) -> Answer {
        self.post(agent, &format!("{OPERATIONS}/{id}/confirm"), BY_USER).await
    }

    pub async fn cancel(&self, agent: &TestAgent, id: &str) -> Answer {
        self.post(agent, &format!("{OPERATIONS}/{id}/cancel"), "{}").await
    }

    pub async fn read(&self, agent: &TestAgent, id: &str) -> Answer {
        self.get(agent, &format!("{OPERATIONS}/{id}")).await
    }

    /// Reads until the operation is in this state; bounded.
    pub async fn until(&self, agent: &TestAgent, id: &str, state: &str) -> Answer {
        for _ in 0..2000 {
            let answer = self.read(agent, id).await;
            if answer.json["state"] == state {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("{id} never became {state}: {:?}", self.read(agent, id).await);
    }
}

pub const JACKET: &str = r#"{ "item_id": "itm_4Qa", "replacement_sku": "stormline-insulated-m" }"#;
pub const BY_USER: &str = r#"{ "revision": 1, "approved_by": "user" }"#;
pub const BY_PERMISSION: &str = r#"{ "revision": 1, "approved_by": "standing_permission" }"#;

pub fn clock() -> SetClock {
    SetClock::at("2026-10-08T19:00:00Z".parse::<Instant>().unwrap())
}

/// What came back.
#[derive(Debug, PartialEq)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: axum::http::HeaderMap,
    pub text: String,
    pub json: Value,
}

impl Answer {
    async fn of(response: Response<Body>) -> Self {
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        let json = serde_json::from_str(&text).unwrap_or(Value::Null);
        Self { status: parts.status, headers: parts.headers, text, json }
    }

    #[track_caller]
    pub fn is(&self, status: u16, error: &str) -> &Self {
        assert_eq!(
            (self.status.as_u16(), &self.json["error"]),
            (status, &Value::from(error)),
            "{self:?}"
        );
        assert_eq!(self.headers["cache-control"], "no-store");
        self
    }

    #[track_caller]
    pub fn state(&self, state: &str) -> &Self {
        assert_eq!(self.status, StatusCode::OK, "{self:?}");
        assert_eq!(self.json["state"], state, "{self:?}");
        self
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }
}

/// What was logged.
#[derive(Debug, Clone, Default)]
pub struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    pub fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'a> tracing_subscriber::fmt::MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}
