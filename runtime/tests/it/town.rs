//! A depot behind HTTP whose store fails as planned, and an agent that does what section 6 tells it: after
//! a failure it asks again, with the same operation.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::http::Method;
use pap_runtime::clock::Clock;
use pap_runtime::store::Store;
use pap_runtime::store::memory::Memory;
use pap_runtime::testing::{TestAgent, TestSessions};
use pap_runtime::value::Instant;
use pap_runtime::{Company, Session, operations};
use tower::ServiceExt;

use crate::depot::{Act, CHARGED, Depot, Order};
use crate::faulty::{Faulty, Plan};
use crate::shop::{Answer, OPERATIONS, ORIGIN};

const ORDERS: &str = "https://api.example.com/items/itm_1/orders";

/// What the agent does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    Confirm,
    ConfirmTwiceAtOnce,
    ConfirmThenCancel,
    ReviseThenConfirm,
    ConfirmAndRestart,
    Decline,
    LetExpire,
}

/// The runtime's own time, which goes on by itself when nothing else is to be done.
#[derive(Debug, Clone)]
struct Passing(tokio::time::Instant);

impl Clock for Passing {
    fn now(&self) -> Instant {
        let start: Instant = "2026-10-08T19:00:00Z".parse().unwrap();
        start.saturating_add(self.0.elapsed())
    }
}

struct Town {
    depot: Arc<Depot>,
    store: Arc<Faulty>,
    sessions: TestSessions,
    agent: TestAgent,
    company: Company<Arc<Depot>>,
    router: Router,
    /// The final state that the agent has seen.
    ended: Mutex<Option<String>>,
}

/// Plays the script on a paused clock, checks what was reported against what happened, and answers how
/// many calls of the store failed.
pub fn run(act: Act, script: Script, plan: Plan) -> usize {
    let mut paused = tokio::runtime::Builder::new_current_thread();
    paused.enable_all().start_paused(true).build().unwrap().block_on(async {
        let mut town = Town::new(act).await;
        town.store.follow(Some(plan));
        let (id, sku) = town.play(script).await;
        let ended = town.until_ended(&id, act).await;
        let case = format!("{act:?} {script:?} {plan:?}");
        town.check(&id, &ended, sku, &case);
        // nothing comes after the end, also from a handler that is slow
        let slow = matches!(act, Act::Slow | Act::LateStart);
        tokio::time::sleep(Duration::from_secs(if slow { 100 } else { 3 })).await;
        assert_eq!(town.read(&id).await.text, ended.text, "{case}");
        town.check(&id, &ended, sku, &case);
        town.store.failed()
    })
}

impl Town {
    async fn new(act: Act) -> Self {
        let clock = Arc::new(Passing(tokio::time::Instant::now()));
        let store = Faulty::around(Arc::new(Memory::on_clock(clock.clone())));
        let (depot, sessions) = (Depot::new(act), TestSessions::on_clock(clock));
        let session = Session::new("ses_1", "https://juniper.example/agent.json", "ada");
        let agent = sessions.token_for(session.signed_in("acc_ada", ["orders:write"]));
        let company = company(&depot, &store, &sessions).await;
        let router = company.in_front_of(Router::new());
        Self { depot, store, sessions, agent, company, router, ended: Mutex::default() }
    }

    async fn play(&mut self, script: Script) -> (String, &'static str) {
        let (id, _) = self.propose("a").await;
        match script {
            Script::Confirm => drop(self.confirm(&id, 1).await),
            Script::ConfirmTwiceAtOnce => {
                tokio::join!(self.confirm(&id, 1), self.confirm(&id, 1));
            }
            Script::ConfirmThenCancel => {
                let later = async {
                    tokio::task::yield_now().await;
                    self.cancel(&id).await
                };
                tokio::join!(self.confirm(&id, 1), later);
            }
            Script::ReviseThenConfirm => {
                assert_eq!(self.propose("b").await, (id.clone(), 2));
                self.confirm(&id, 2).await;
                return (id, "b");
            }
            Script::ConfirmAndRestart => {
                if self.confirm(&id, 1).await.json["state"] == "in_progress" {
                    self.restart(&id).await;
                }
            }
            Script::Decline => {
                self.cancel(&id).await;
                self.confirm(&id, 1).await;
            }
            Script::LetExpire => {
                tokio::time::sleep(Duration::from_secs(16 * 60)).await;
                self.confirm(&id, 1).await;
            }
        }
        (id, "a")
    }

    /// The process is gone, and another one goes on.
    async fn restart(&mut self, id: &str) {
        self.depot.restart();
        let running = loop {
            if let Ok(history) = self.company.history(&id.parse().unwrap()).await {
                break history.stored.running;
            }
        };
        if let Some(life) = running.and_then(|running| running.life) {
            while self.store.end_life(life).await.is_err() {}
        }
        self.company = company(&self.depot, &self.store, &self.sessions).await;
        self.router = self.company.in_front_of(Router::new());
    }

    async fn until_ended(&self, id: &str, act: Act) -> Answer {
        for asked in 0..200 {
            let answer = self.read(id).await;
            if is_final(answer.json["state"].as_str().unwrap()) {
                return answer;
            }
            tokio::time::sleep(Duration::from_secs(1 << asked.min(5))).await;
            if matches!(act, Act::Stoppable | Act::StoppableAfter) {
                self.cancel(id).await;
            }
        }
        panic!("{id} never ended: {}", self.store.calls().join(" "));
    }

    /// Performed at most once, and what is reported is what happened.
    fn check(&self, id: &str, ended: &Answer, sku: &str, case: &str) {
        let seen = self.depot.seen(id);
        let (state, summary) = (&ended.json["state"], &ended.json["result"]["summary"]);
        let case = format!("{case}: {state} {summary}\n{}", self.store.calls().join(" "));
        assert!(seen.started <= 1 && seen.charged <= 1 && seen.sent <= 1, "twice: {case}");
        let performed = (seen.charged, seen.sent) == (1, 1);
        assert_eq!(*state == "succeeded", performed, "{case}");
        assert!(seen.sent == 0 || performed, "{case}");
        assert!(seen.sku.as_deref().is_none_or(|sent| sent == sku), "other terms: {case}");
        let told = summary.as_str().unwrap().matches(CHARGED).count();
        // what the store never took is gone with its process
        let may_be_lost = case.contains("Restart") && told == 0;
        assert!(told == seen.charged || may_be_lost, "told {told} times: {case}");
    }

    async fn propose(&self, sku: &str) -> (String, u64) {
        let json = format!(r#"{{ "sku": "{sku}" }}"#);
        let answer = self.answered(Method::POST, ORDERS, &json).await;
        let operation = &answer.json["operation"];
        let id = operation["operation_id"].as_str().unwrap().to_owned();
        (id, operation["revision"].as_u64().unwrap())
    }

    async fn confirm(&self, id: &str, revision: u64) -> Answer {
        let json = format!(r#"{{ "revision": {revision}, "approved_by": "user" }}"#);
        self.answered(Method::POST, &format!("{OPERATIONS}/{id}/confirm"), &json).await
    }

    async fn cancel(&self, id: &str) -> Answer {
        self.answered(Method::POST, &format!("{OPERATIONS}/{id}/cancel"), "{}").await
    }

    async fn read(&self, id: &str) -> Answer {
        self.answered(Method::GET, &format!("{OPERATIONS}/{id}"), "").await
    }

    /// Asks until the answer is another than `503`.
    async fn answered(&self, method: Method, url: &str, json: &str) -> Answer {
        for _ in 0..400 {
            let known = self.ended.lock().unwrap().clone();
            let request = self.agent.request(method.clone(), url, Some(json));
            let answer = Answer::of(self.router.clone().oneshot(request).await.unwrap()).await;
            if answer.status != 503 {
                assert!(answer.status.is_success(), "{answer:?}");
                self.look(known, &answer);
                return answer;
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        panic!("{url} was never answered: {}", self.store.calls().join(" "));
    }

    /// Whoever knows of a final state when it asks is never answered another; all who see one see the same.
    fn look(&self, known: Option<String>, answer: &Answer) {
        let Some(state) = answer.json["state"].as_str() else { return };
        if let Some(known) = known {
            assert_eq!(known, answer.text);
        }
        if is_final(state) {
            let mut ended = self.ended.lock().unwrap();
            assert_eq!(ended.get_or_insert_with(|| answer.text.clone()), &answer.text);
        }
    }
}

fn is_final(state: &str) -> bool {
    ["succeeded", "failed", "cancelled", "expired"].contains(&state)
}

async fn company(
    depot: &Arc<Depot>,
    store: &Arc<Faulty>,
    sessions: &TestSessions,
) -> Company<Arc<Depot>> {
    loop {
        let shared: Arc<dyn Store> = store.clone();
        let company = Company::builder(depot.clone())
            .name("Depot")
            .origin(ORIGIN)
            .sessions(sessions.clone())
            .shared_store(shared)
            .operations(operations![Order])
            .ask_again(Duration::from_secs(2), Duration::from_secs(60));
        if let Ok(company) = company.start().await {
            return company;
        }
    }
}
