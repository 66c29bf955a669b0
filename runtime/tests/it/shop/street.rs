//! The shop behind HTTP, with agents and a clock that the test moves.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use axum::routing::post;
use pap_runtime::clock::{Clock, SetClock};
use pap_runtime::store::Store;
use pap_runtime::store::memory::Memory;
use pap_runtime::store::sqlite::Sqlite;
use pap_runtime::testing::{TestAgent, TestSessions};
use pap_runtime::value::Instant;
use pap_runtime::{Company, Session, operations};
use tower::ServiceExt;

use super::{Answer, BY_USER, EXCHANGES, Exchange, JACKET, OPERATIONS, ORIGIN, Shop, gift_note};

/// So often a test looks whether it has come to what it waits for, with 5 ms in between: for a minute at least,
/// which a machine that is loaded twenty-fold needs as well.
pub const LOOKS: u32 = 12_000;

/// A shop behind HTTP, with agents and a clock that the test moves.
pub struct Street {
    pub shop: Arc<Shop>,
    pub clock: SetClock,
    pub sessions: TestSessions,
    pub company: Company<Arc<Shop>>,
    pub router: Router,
    pub store: Arc<dyn Store>,
    /// Removed with the street.
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

    /// How many operations, revisions and events are on record, whoever's they are.
    pub fn on_record(&self) -> [u32; 3] {
        let file = self.dir.as_ref().unwrap().path().join("operations.db");
        let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
        let database = rusqlite::Connection::open_with_flags(file, flags).unwrap();
        ["operations", "revisions", "events"].map(|table| {
            let count = format!("SELECT count(*) FROM {table}");
            database.query_row(&count, [], |row| row.get(0)).unwrap()
        })
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
            // no test waits for it, and no machine is so slow that a handler does
            .answer_within(Duration::from_secs(30))
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
        let life = history.stored.running.unwrap().life.unwrap();
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
        for _ in 0..LOOKS {
            let answer = self.read(agent, id).await;
            if answer.json["state"] == state {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("{id} never became {state}: {:?}", self.read(agent, id).await);
    }
}

/// The store of a file whose last process has just ended: its threads let go of it some time after the last
/// handle is dropped, and what that process still runs has to come to its end meanwhile.
pub async fn open_when_free(file: &Path, clock: &SetClock) -> Arc<Sqlite> {
    for _ in 0..LOOKS {
        let clock: Arc<dyn Clock> = Arc::new(clock.clone());
        match Sqlite::open_on(file, clock) {
            Ok(store) => return Arc::new(store),
            Err(_) => tokio::time::sleep(Duration::from_millis(5)).await,
        }
    }
    panic!("{} was not let go", file.display());
}

pub fn clock() -> SetClock {
    SetClock::at("2026-10-08T19:00:00Z".parse::<Instant>().unwrap())
}
