//! The minimal honest prototype: it verifies the proof, makes two durable commits, and answers.

use std::path::Path;
use std::sync::mpsc;

use axum::extract::{Path as InPath, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use axum::{Json, Router};
use serde_json::json;
use tokio::sync::oneshot;

use super::proof::{Wanted, jti};
use crate::agent::{ORIGIN, TOKEN};
use crate::bare::{Bare, Step, Write};
use crate::error::Error;
use crate::usage::now;

/// At most so many writes become one commit.
const TOGETHER: usize = 256;

/// What waits for the writing thread.
enum Job {
    Write(Write, oneshot::Sender<bool>),
    Propose(usize, oneshot::Sender<Result<Vec<String>, Error>>),
}

/// A handle of the prototype.
#[derive(Clone)]
pub(super) struct Prototype {
    writes: mpsc::Sender<Job>,
    thumbprint: String,
}

impl Prototype {
    /// Opens its file.
    pub(super) fn open(folder: &Path, thumbprint: &str) -> Result<Self, Error> {
        let bare = Bare::open(&folder.join("prototype.db"))?;
        let (writes, inbox) = mpsc::channel();
        std::thread::Builder::new().name("writer".to_owned()).spawn(move || write(bare, &inbox))?;
        Ok(Self { writes, thumbprint: thumbprint.to_owned() })
    }

    pub(super) async fn propose(&self, count: usize) -> Result<Vec<String>, Error> {
        let (tell, told) = oneshot::channel();
        self.writes.send(Job::Propose(count, tell)).map_err(Error::of)?;
        told.await.map_err(Error::of)?
    }

    pub(super) fn router(self) -> Router {
        Router::new().route("/poppy/operations/{id}/confirm", post(confirm)).with_state(self)
    }

    async fn written(&self, id: &str, step: Step, jti: [u8; 16]) -> bool {
        let (tell, told) = oneshot::channel();
        let write = Write { id: id.to_owned(), step, jti };
        self.writes.send(Job::Write(write, tell)).is_ok() && told.await.unwrap_or(false)
    }
}

/// Whatever waits becomes one commit, and is answered after it.
fn write(mut bare: Bare, inbox: &mpsc::Receiver<Job>) {
    while let Ok(first) = inbox.recv() {
        let (mut writes, mut waiting) = (Vec::new(), Vec::new());
        let mut next = Some(first);
        while let Some(job) = next.take() {
            match job {
                Job::Write(write, tell) => {
                    writes.push(write);
                    waiting.push(tell);
                }
                // whoever asked may have gone
                Job::Propose(count, tell) => drop(tell.send(bare.propose(count))),
            }
            if writes.len() < TOGETHER {
                next = inbox.try_recv().ok();
            }
        }
        let done = bare.commit(&writes).unwrap_or_default();
        for (tell, done) in waiting.into_iter().zip(done) {
            // whoever asked may have gone
            let _told: Result<(), bool> = tell.send(done);
        }
    }
}

async fn confirm(
    State(prototype): State<Prototype>,
    InPath(id): InPath<String>,
    headers: HeaderMap,
) -> Response {
    let Some(jti) = proved(&prototype, &id, &headers) else {
        return StatusCode::UNAUTHORIZED.into_response();
    };
    let done = prototype.written(&id, Step::Claim, jti).await
        && prototype.written(&id, Step::Finish, jti).await;
    if done { Json(operation(&id)).into_response() } else { StatusCode::CONFLICT.into_response() }
}

fn proved(prototype: &Prototype, id: &str, headers: &HeaderMap) -> Option<[u8; 16]> {
    let token = headers.get("authorization")?.to_str().ok()?.strip_prefix("DPoP ")?;
    let wanted = Wanted {
        token: Some(token).filter(|token| *token == TOKEN)?,
        thumbprint: &prototype.thumbprint,
        url: &format!("{ORIGIN}/poppy/operations/{id}/confirm"),
        now: now(),
    };
    jti(headers.get("dpop")?.to_str().ok()?, wanted)
}

fn operation(id: &str) -> serde_json::Value {
    json!({
        "operation_id": id,
        "revision": 1,
        "state": "succeeded",
        "summary": "Exchange the Stormline Jacket (M) on order ord_7Hk2 for the Stormline Insulated Jacket (M), for $70.00 more, charged to the card used for the order.",
        "terms": {
            "order_id": "ord_7Hk2",
            "item_id": "itm_4Qa",
            "replacement_sku": "stormline-insulated-m",
            "price_difference": {"amount": "70.00", "currency": "USD"}
        },
        "confirmation": {
            "revision": 1,
            "approved_by": "user",
            "confirmed_at": "2026-10-08T12:04:31-07:00"
        },
        "result": {
            "summary": "The exchange is placed.",
            "data": {"exchange_id": "exc_5Rt2", "return_id": "rtn_8Lp3"}
        }
    })
}
