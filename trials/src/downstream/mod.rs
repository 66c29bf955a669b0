//! The system behind a company: a process of its own that lets keys take effect, and counts.
//!
//! It knows nothing of operations, revisions or stores. What it is asked it does to the end, also if
//! whoever asked was killed meanwhile: as a request does that is in a kernel's buffer or with a proxy.

mod client;
pub mod ledger;

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post;
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

pub use client::{Client, NoAnswer};

use crate::Fault;
use ledger::{Effect, Fenced, Ledger, Noted};

/// An effect that is asked for.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Ask {
    /// The caller's key for it.
    pub key: String,
    /// It takes effect only after so long.
    pub before_ms: u64,
    /// It is answered only so long after it took effect.
    pub after_ms: u64,
    /// It is accepted at once and takes effect later.
    pub accepts: bool,
    /// A proxy on the way holds the request until it is let go, whatever becomes of its sender.
    pub held: bool,
}

/// An answer about one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// It took effect now.
    Done,
    /// It will take effect.
    Accepted,
    /// It had taken effect before.
    Happened,
    /// It did not take effect, and is refused from now on.
    Fenced,
    /// It has not taken effect so far.
    NotSeen,
}

#[derive(Debug, Serialize, Deserialize)]
struct Key {
    key: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct Keys {
    honoured: bool,
}

struct Downstream {
    ledger: Arc<Mutex<Ledger>>,
    held: Mutex<BTreeSet<String>>,
    let_go: watch::Sender<u64>,
}

impl Downstream {
    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn held(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets it take effect, after what it has to wait for.
    async fn take_effect(&self, ask: &Ask) -> Result<Answer, StatusCode> {
        if ask.held {
            let mut let_go = self.let_go.subscribe();
            self.held().insert(ask.key.clone());
            // an error is the end of this process
            drop(let_go.changed().await);
            self.held().remove(&ask.key);
        }
        tokio::time::sleep(Duration::from_millis(ask.before_ms)).await;
        let (ledger, key) = (Arc::clone(&self.ledger), ask.key.clone());
        let written = tokio::task::spawn_blocking(move || {
            ledger.lock().unwrap_or_else(PoisonError::into_inner).take_effect(&key)
        });
        let effect = written.await.map_err(broken)?.map_err(broken)?;
        tokio::time::sleep(Duration::from_millis(ask.after_ms)).await;
        match effect {
            Effect::Done => Ok(Answer::Done),
            Effect::Seen => Ok(Answer::Happened),
            Effect::Refused => Err(StatusCode::CONFLICT),
        }
    }
}

fn broken(_why: impl std::fmt::Debug) -> StatusCode {
    StatusCode::INTERNAL_SERVER_ERROR
}

type Shared = State<Arc<Downstream>>;

async fn effect(state: Shared, Json(ask): Json<Ask>) -> Result<Json<Answer>, StatusCode> {
    let State(downstream) = state;
    let accepts = ask.accepts;
    // in a task of its own: it is done to the end, whoever goes away
    let task = tokio::spawn(async move { downstream.take_effect(&ask).await });
    if accepts {
        return Ok(Json(Answer::Accepted));
    }
    task.await.map_err(broken)?.map(Json)
}

async fn fence(
    State(downstream): Shared,
    Json(key): Json<Key>,
) -> Result<Json<Answer>, StatusCode> {
    let fenced = downstream.ledger().fence(&key.key).map_err(broken)?;
    Ok(Json(match fenced {
        Fenced::Happened => Answer::Happened,
        Fenced::Fenced => Answer::Fenced,
    }))
}

async fn look(State(downstream): Shared, Json(key): Json<Key>) -> Json<Answer> {
    let count = downstream.ledger().count(&key.key);
    Json(if count > 0 { Answer::Happened } else { Answer::NotSeen })
}

async fn hold(state: Shared, Json(key): Json<Key>) -> Result<(), StatusCode> {
    note(state, Noted::Held, &key)
}

async fn release(state: Shared, Json(key): Json<Key>) -> Result<(), StatusCode> {
    note(state, Noted::LetGo, &key)
}

fn note(State(downstream): Shared, what: Noted, key: &Key) -> Result<(), StatusCode> {
    downstream.ledger().note(what, &key.key).map_err(broken)
}

async fn held(State(downstream): Shared, Json(key): Json<Key>) -> Json<bool> {
    Json(downstream.held().contains(&key.key))
}

async fn let_go(State(downstream): Shared) {
    downstream.let_go.send_modify(|times| *times = times.wrapping_add(1));
}

async fn honour(State(downstream): Shared, Json(keys): Json<Keys>) {
    downstream.ledger().honour_keys(keys.honoured);
}

/// Serves over this ledger until it is killed. The first line on the standard output says where.
///
/// # Errors
///
/// If the ledger cannot be opened or the port not listened on.
pub async fn serve(ledger: &Path) -> Result<(), Fault> {
    let downstream = Downstream {
        ledger: Arc::new(Mutex::new(Ledger::open(ledger)?)),
        held: Mutex::default(),
        let_go: watch::channel(0).0,
    };
    let router = Router::new()
        .route("/effect", post(effect))
        .route("/fence", post(fence))
        .route("/look", post(look))
        .route("/hold", post(hold))
        .route("/release", post(release))
        .route("/held", post(held))
        .route("/let-go", post(let_go))
        .route("/honour", post(honour))
        .with_state(Arc::new(downstream));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    writeln!(std::io::stdout(), "listening on http://{}", listener.local_addr()?)?;
    Ok(axum::serve(listener, router).await?)
}
