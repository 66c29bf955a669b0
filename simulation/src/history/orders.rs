//! The company: it sends items in a size, its handler goes about it in many ways, and its questions are
//! answered truthfully sooner or later.

use std::fmt::{Debug, Formatter};
use std::sync::Arc;
use std::time::Duration;

use pap_runtime::{
    Confirmed, Fence as Bar, Finding, NotOffered, Outcome, Proposal, Released, Retry, Shape,
    StopAnswer, Terms, did_not_and_cannot, failed_after, failed_unchanged, handed_over, happened,
    not_seen_yet, operation, partly, stopped_unchanged, succeeded, unknown,
};
use serde::{Deserialize, Serialize};

use super::downstream::Downstream;
use super::process::Process;
use super::steps::{Act, Asked, Fence, Way};

/// What a result tells where the item was sent and that is no success.
pub(super) const SENT: &str = "The item was sent.";
/// Longer than a handler may take before it is asked about.
const LATE: Duration = Duration::from_secs(90);
/// How long a handler waits that does not wait for its answer.
const PATIENCE: Duration = Duration::from_secs(1);

/// The company's state in one process.
pub(super) struct Shop {
    pub(super) downstream: Arc<Downstream>,
    pub(super) process: Arc<Process>,
}

impl Debug for Shop {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str("Shop")
    }
}

/// What the agent asks for.
#[derive(Debug, Serialize, Deserialize, Shape)]
pub(super) struct OrderRequest {
    item: u64,
    size: u64,
}

impl OrderRequest {
    pub(super) fn new(item: u64, size: u64) -> Self {
        Self { item, size }
    }
}

/// What the User approves.
#[derive(Debug, Serialize, Deserialize, Terms)]
#[terms(summary = "Send item {item} in size {size}.")]
pub(super) struct OrderTerms {
    pub(super) item: u64,
    pub(super) size: u64,
}

pub(super) enum Order {}

/// Sends an item.
#[operation(action = "shop.order", route = "POST /orders", scopes = ["orders:write"], identity(item),
            expires_in = "1m")]
impl Order {
    async fn propose(
        _shop: &Shop,
        request: OrderRequest,
    ) -> Result<Proposal<OrderTerms>, NotOffered> {
        Ok(Proposal::new(OrderTerms { item: request.item, size: request.size }))
    }

    async fn perform(shop: &Shop, op: Confirmed<OrderTerms>) -> Outcome {
        let id = op.id().as_str();
        shop.downstream.started(id);
        let Some(way) = shop.downstream.way(op.terms.item) else {
            return unknown("nobody said how");
        };
        shop.process.goes_on().await;
        match way.act {
            Act::Decline => return failed_unchanged("It is sold out."),
            Act::Wait => {
                op.until_stop_requested().await;
                return stopped_unchanged("Stopped as you asked.");
            }
            Act::Late => tokio::time::sleep(LATE).await,
            _ => {}
        }
        if way.fence == Fence::Checkpoint {
            op.remember("sending", &op.terms.size).await?;
        }
        if way.act == Act::PanicBefore {
            broken_off();
        }
        shop.process.goes_on().await;
        let answer = shop.downstream.send(id, op.terms.size, way.transit);
        let answer = match way.act {
            Act::GiveUp => tokio::time::timeout(PATIENCE, answer).await.ok(),
            _ => Some(answer.await),
        };
        shop.process.goes_on().await;
        match answer {
            Some(Ok(true)) => {}
            Some(Ok(false)) => return failed_unchanged("The order was voided."),
            Some(Err(_)) | None => return unknown("no answer"),
        }
        ends(shop, way.act, &op).await
    }

    async fn reconcile(shop: &Shop, op: &Confirmed<OrderTerms>) -> Result<Finding, Retry> {
        shop.process.goes_on().await;
        let id = op.id().as_str();
        let way = shop.downstream.way(op.terms.item).ok_or(Retry::because("nobody said how"))?;
        match shop.downstream.asked(id, way) {
            Asked::Truth => {}
            Asked::Errors => return Err(Retry::because("the system behind is away")),
            Asked::Panic => broken_off(),
            Asked::Hang => std::future::pending().await,
            Asked::NotSeen => return not_seen_yet(),
        }
        if way.fence == Fence::Downstream {
            shop.downstream.void(id);
        }
        if shop.downstream.order(id).effects > 0 {
            return match way.act {
                Act::FailAfter | Act::Contradict => partly([SENT], "It was not charged."),
                _ => happened("It had been sent.", ()),
            };
        }
        match bar(way, op)? {
            Some(bar) => did_not_and_cannot(bar),
            None => not_seen_yet(),
        }
    }

    async fn released(shop: &Shop, op: &Released<OrderTerms>) -> Result<(), Retry> {
        shop.process.goes_on().await;
        let id = op.id().as_str();
        let way = shop.downstream.way(op.terms.item).ok_or(Retry::because("nobody said how"))?;
        match shop.downstream.told(id, way) {
            Asked::Truth | Asked::NotSeen => {}
            Asked::Errors => return Err(Retry::because("the system behind is away")),
            Asked::Panic => broken_off(),
            Asked::Hang => std::future::pending().await,
        }
        shop.downstream.lets_go(id, op.revision().get());
        Ok(())
    }

    async fn stop(shop: &Shop, op: &Confirmed<OrderTerms>) -> Result<StopAnswer, Retry> {
        shop.process.goes_on().await;
        let way = shop.downstream.way(op.terms.item).ok_or(Retry::because("nobody said how"))?;
        if way.fence == Fence::Downstream && shop.downstream.void(op.id().as_str()) {
            return Ok(StopAnswer::cannot());
        }
        Ok(bar(way, op)?.map_or(StopAnswer::asked(), StopAnswer::stopped))
    }
}

/// What keeps an effect that was not seen from happening.
fn bar(way: Way, op: &Confirmed<OrderTerms>) -> Result<Option<Bar>, Retry> {
    Ok(match way.fence {
        Fence::None => None,
        Fence::Downstream => Some(Bar::downstream("the order was voided")),
        Fence::Checkpoint => match op.recalled::<u64>("sending")? {
            Some(_) => None,
            None => Some(Bar::checkpoint("sending")),
        },
    })
}

/// After the item was sent.
async fn ends(shop: &Shop, act: Act, op: &Confirmed<OrderTerms>) -> Outcome {
    if matches!(act, Act::FailAfter | Act::Contradict | Act::NoteAndForget) {
        op.note_change(SENT).await;
        shop.downstream.noted(op.id().as_str(), &shop.process);
    }
    match act {
        Act::FailAfter => failed_after([SENT], "It was not charged."),
        Act::Contradict => failed_unchanged("It was not charged."),
        Act::Forget | Act::NoteAndForget => unknown("the answer was lost"),
        Act::PanicAfter => broken_off(),
        Act::Hang => std::future::pending().await,
        Act::HandOver => handed_over("people", Duration::from_secs(30)),
        _ => succeeded("It is on its way.", ()),
    }
}

/// A panic that prints nothing.
fn broken_off() -> ! {
    std::panic::resume_unwind(Box::new("the company's own"))
}
