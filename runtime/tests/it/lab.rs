//! An operation for one suspicion at a time, behind HTTP on a store that fails at will.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request};
use axum::routing::any;
use pap_runtime::clock::SetClock;
use pap_runtime::store::memory::Memory;
use pap_runtime::store::{EventKind, Running, Store};
use pap_runtime::testing::{TestAgent, TestSessions};
use pap_runtime::{
    Company, Confirmed, Fence, Finding, Outcome, Retry, Session, Shape, StopAnswer, Terms,
    happened, not_seen_yet, operation, operations, stopped_unchanged, succeeded, unknown,
};
use serde::{Deserialize, Serialize};
use tokio::sync::Notify;
use tower::ServiceExt;

use crate::faulty::Faulty;
use crate::shop::{Answer, BY_USER, OPERATIONS, ORIGIN, clock};

/// What the lab counts, and what the test tells it.
#[derive(Debug, Default)]
pub struct Lab {
    pub effects: AtomicU32,
    pub stops: AtomicU32,
    pub asks: AtomicU32,
    /// Questions and stops are never answered.
    pub hangs: AtomicBool,
    pub started: Notify,
    pub let_go: Notify,
}

impl Lab {
    fn effect(&self) {
        self.effects.fetch_add(1, Ordering::SeqCst);
    }

    async fn answers(&self) {
        if self.hangs.load(Ordering::SeqCst) {
            std::future::pending::<()>().await;
        }
    }
}

#[derive(Debug, Serialize, Deserialize, Terms)]
#[terms(summary = "Try {how} {times} times with {list}.")]
pub struct TryTerms {
    /// What `perform` does.
    pub how: String,
    pub times: u32,
    #[term(max = 3)]
    pub list: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize, Shape)]
pub struct Tried {
    pub text: String,
}

/// Tries something.
#[operation(action = "lab.try", route = "POST /labs/{how}/tries", scopes = ["lab"], terms = TryTerms,
            reconcile = found, stop = stopped)]
pub async fn try_it(lab: &Arc<Lab>, op: Confirmed<TryTerms>) -> Outcome<Tried> {
    lab.started.notify_one();
    match op.terms.how.as_str() {
        "large" => {
            lab.effect();
            return succeeded("Done.", Tried { text: "x".repeat(300 * 1024) });
        }
        "remember-then-lose" => {
            op.remember("payment", &"a secret value").await?;
            return unknown("lost");
        }
        "stoppable" => {
            op.until_stop_requested().await;
            return stopped_unchanged("Stopped.");
        }
        "remember-then-wait" => {
            op.remember("payment", &"pay_1").await?;
            lab.let_go.notified().await;
            lab.effect();
            return unknown("lost");
        }
        "lose" => {
            lab.effect();
            return unknown("lost");
        }
        "wait-then-note" => {
            lab.let_go.notified().await;
            op.note_change("Something was done").await;
            return unknown("lost");
        }
        "two-notes" => {
            tokio::join!(op.note_change("First"), op.note_change("Second"));
        }
        "impatient-note" => {
            let noted = tokio::time::timeout(Duration::from_millis(10), op.note_change("First"));
            assert!(noted.await.is_err(), "the store is held up");
        }
        "wait" => lab.let_go.notified().await,
        _ => {}
    }
    lab.effect();
    succeeded("Done.", Tried { text: op.id().to_string() })
}

async fn found(lab: &Arc<Lab>, op: &Confirmed<TryTerms>) -> Result<Finding<Tried>, Retry> {
    lab.asks.fetch_add(1, Ordering::SeqCst);
    lab.answers().await;
    if op.terms.how == "remember-then-lose" {
        // another type than was put on record
        op.recalled::<u32>("payment")?;
    }
    if lab.effects.load(Ordering::SeqCst) == 0 {
        return not_seen_yet();
    }
    happened("It had been done.", Tried { text: op.id().to_string() })
}

async fn stopped(lab: &Arc<Lab>, op: &Confirmed<TryTerms>) -> Result<StopAnswer, Retry> {
    lab.stops.fetch_add(1, Ordering::SeqCst);
    lab.answers().await;
    // mistaken where it remembers: the checkpoint is on record
    Ok(match op.terms.how.as_str() {
        "remember-then-wait" => StopAnswer::stopped(Fence::checkpoint("payment")),
        _ => StopAnswer::asked(),
    })
}

/// The lab behind HTTP, with Ada's agent and a clock that the test moves.
pub struct Bay {
    pub lab: Arc<Lab>,
    pub clock: SetClock,
    pub store: Arc<Faulty>,
    pub sessions: TestSessions,
    pub company: Company<Arc<Lab>>,
    pub router: Router,
    pub ada: TestAgent,
}

impl Bay {
    pub async fn new() -> Self {
        let clock = clock();
        Self::on(Arc::new(Memory::on_clock(Arc::new(clock.clone()))), clock).await
    }

    pub async fn on(inner: Arc<dyn Store>, clock: SetClock) -> Self {
        let (store, lab) = (Faulty::around(inner), Arc::new(Lab::default()));
        let sessions = TestSessions::on_clock(Arc::new(clock.clone()));
        let session = Session::new("ses_1", "https://juniper.example/agent.json", "ada");
        let ada = sessions.token_for(session.signed_in("acc_ada", ["lab"]));
        let company = lab_company(&lab, store.clone(), &sessions).await;
        let router = company.in_front_of(Router::new().fallback(any(|| async { "as before" })));
        Self { lab, clock, store, sessions, company, router, ada }
    }

    pub async fn send(&self, request: Request<Body>) -> Answer {
        Answer::of(self.router.clone().oneshot(request).await.unwrap()).await
    }

    pub async fn post(&self, path: &str, json: &str) -> Answer {
        self.send(self.ada.request(Method::POST, &format!("{ORIGIN}{path}"), Some(json))).await
    }

    /// Proposes a try and answers its id.
    pub async fn propose(&self, how: &str) -> String {
        let json = r#"{ "times": 2, "list": ["a"] }"#;
        let answer = self.post(&format!("/labs/{how}/tries"), json).await;
        assert_eq!(answer.status, 202, "{answer:?}");
        answer.json["operation"]["operation_id"].as_str().unwrap().to_owned()
    }

    pub async fn confirm(&self, id: &str) -> Answer {
        self.post(&format!("/poppy/operations/{id}/confirm"), BY_USER).await
    }

    /// Confirms in a task of its own.
    pub fn confirming(&self, id: &str) -> tokio::task::JoinHandle<Answer> {
        let url = format!("{OPERATIONS}/{id}/confirm");
        let request = self.ada.request(Method::POST, &url, Some(BY_USER));
        let router = self.router.clone();
        tokio::spawn(async move { Answer::of(router.oneshot(request).await.unwrap()).await })
    }

    pub async fn cancel(&self, id: &str) -> Answer {
        self.post(&format!("/poppy/operations/{id}/cancel"), "").await
    }

    pub async fn read(&self, id: &str) -> Answer {
        self.send(self.ada.request(Method::GET, &format!("{OPERATIONS}/{id}"), None)).await
    }

    pub async fn running(&self, id: &str) -> Running {
        self.company.history(&id.parse().unwrap()).await.unwrap().stored.running.unwrap()
    }

    /// What is on record about it: kind and detail.
    pub async fn events(&self, id: &str) -> Vec<(EventKind, String)> {
        let history = self.company.history(&id.parse().unwrap()).await.unwrap();
        history.events.into_iter().map(|event| (event.kind, event.detail)).collect()
    }
}

pub async fn lab_company(
    lab: &Arc<Lab>,
    store: Arc<dyn Store>,
    sessions: &TestSessions,
) -> Company<Arc<Lab>> {
    let company = Company::builder(lab.clone())
        .name("Lab")
        .origin(ORIGIN)
        .sessions(sessions.clone())
        .shared_store(store)
        .operations(operations![try_it]);
    company.start().await.unwrap()
}
