//! The right to perform, on its way: spent by a claim or a start, and what becomes of it when the
//! acknowledgement was lost.

use std::sync::Arc;
use std::time::Duration;

use pap_protocol::value::Instant;
use tokio::sync::oneshot;
use tokio::time;

use super::base::{Base, failed, not_understood};
use super::bound::{Proof, check_texts};
use super::claims::claim_alone;
use super::disown::Disowned;
use super::failure::Failure;
use super::rows::Columns;
use super::writes::about;
use crate::store::row::Row as _;
use crate::store::{Claim, Error, Key, Performer, Start, Written, detail};

/// Between two attempts to reach a server that does not answer.
const AGAIN_AFTER: Duration = Duration::from_millis(100);

/// What spends the right.
pub(super) enum Spending {
    /// The confirmation, together with it.
    Claim {
        /// What is claimed.
        claim: Box<Claim>,
        /// What the record says.
        event: String,
        /// The use of the confirming request's proof.
        proof: Option<Proof>,
    },
    /// The start of what waits for it.
    Start,
}

/// A right that is being spent, with the answer that somebody waits for.
pub(super) struct Right {
    pub(super) key: Key,
    /// Whose it will be; nobody's when a claim leaves it to be started.
    performer: Option<Performer>,
    pub(super) spending: Spending,
    answer: oneshot::Sender<Result<Written, Error>>,
}

impl Right {
    /// Puts a claim in words; where its answer comes.
    pub(super) fn to_claim(claim: Claim, base: &Arc<Base>) -> Result<(Self, Answer), Error> {
        let by = &claim.by;
        let texts = [&claim.key.company, &by.client, &by.key_thumbprint, &by.session];
        check_texts(texts.map(String::as_str))?;
        check_texts(by.account.as_deref())?;
        let event = detail::confirmed(&claim)?;
        let proof = claim.proof.as_ref().map(Proof::of);
        let (key, performer) = (claim.key.clone(), claim.performer);
        let spending = Spending::Claim { claim: Box::new(claim), event, proof };
        Ok(Self::spent_by(key, performer, spending, base))
    }

    /// Puts a start in words; where its answer comes.
    pub(super) fn to_start(start: Start, base: &Arc<Base>) -> (Self, Answer) {
        Self::spent_by(start.key, Some(start.performer), Spending::Start, base)
    }

    fn spent_by(
        key: Key,
        performer: Option<Performer>,
        spending: Spending,
        base: &Arc<Base>,
    ) -> (Self, Answer) {
        let (answer, receiver) = oneshot::channel();
        let base = Arc::clone(base);
        let disowned = performer.map(|by| Disowned::recorded(key.clone(), by.ticket));
        (Self { key, performer, spending, answer }, Answer { receiver, base, disowned })
    }

    /// Spends it, alone.
    pub(super) async fn spend(&self, base: &Base) -> Result<Written, Failure> {
        let (Spending::Start, Some(by)) = (&self.spending, self.performer) else {
            return claim_alone(base, self).await;
        };
        let bound =
            about(base, &self.key).bytes(by.ticket.0).bytes(by.life.0).text(detail::STARTED);
        base.written(&base.sql.start, bound).await
    }

    /// Answers. What was spent for somebody who went away is nobody's.
    pub(super) fn end(self, base: &Base, answer: Result<Written, Error>) {
        let spent = matches!(answer, Ok(Written::Done(_)));
        if self.answer.send(answer).is_err() && spent {
            disown(base, self.performer.map(|by| Disowned::recorded(self.key, by.ticket)));
        }
    }

    /// Answers that nobody may perform from this ticket, which may be on record, or come there.
    fn end_in_doubt(self, base: &Base, answer: Result<Written, Error>) {
        let doubtful = self.performer.map(|by| Disowned::doubtful(self.key.clone(), by.ticket));
        disown(base, doubtful);
        self.end(base, answer);
    }
}

/// What was left to be started needs no disowning: whoever starts it performs.
fn disown(base: &Base, disowned: Option<Disowned>) {
    if let Some(disowned) = disowned {
        base.disown(disowned);
    }
}

/// Where the answer comes. Whoever drops it before has spent the right for nobody.
pub(super) struct Answer {
    receiver: oneshot::Receiver<Result<Written, Error>>,
    base: Arc<Base>,
    disowned: Option<Disowned>,
}

impl Answer {
    pub(super) async fn wait(mut self) -> Result<Written, Error> {
        let answer = (&mut self.receiver).await;
        answer.unwrap_or_else(|gone| {
            Err(Error::unknown("the store ended before it answered").from_source(gone))
        })
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        // once closed, the sender is told that nobody listens; what came before is taken out here
        self.receiver.close();
        if let Ok(Ok(Written::Done(_))) = self.receiver.try_recv() {
            disown(&self.base, self.disowned.take());
        }
    }
}

/// Starts what waits to be started.
pub(super) async fn start(base: &Base, right: Right) {
    match right.spend(base).await {
        Ok(answer) => right.end(base, Ok(answer)),
        Err(Failure::Lost(why)) => prove(base, vec![right], why).await,
        Err(failure) => right.end(base, Err(failed(failure))),
    }
}

/// A claim in doubt, and what its repetition came to.
struct Doubt {
    job: Right,
    again: Option<Written>,
}

/// Finds out what became of claims and starts whose acknowledgement was lost. A ticket that is seen is not believed:
/// a write of its own, acknowledged, proves it. What can still be spent is, again, with the same
/// ticket. What somebody else has, or nobody can know within the time of an answer, is performed by nobody.
pub(super) async fn prove(base: &Base, rights: Vec<Right>, mut why: String) {
    let end = time::Instant::now() + base.way.answer_within;
    let mut doubts: Vec<Doubt> = rights.into_iter().map(|job| Doubt { job, again: None }).collect();
    while !doubts.is_empty() && time::Instant::now() < end {
        match prove_once(base, doubts).await {
            (rest, None) => doubts = rest,
            (rest, Some(failure)) => {
                doubts = rest;
                why = failed(failure).to_string();
                time::sleep(AGAIN_AFTER).await;
            }
        }
    }
    for Doubt { job, .. } in doubts {
        job.end_in_doubt(base, Err(Error::unknown(why.clone())));
    }
}

/// One round: what is ours is answered, what was already repeated without success too; the rest is repeated.
async fn prove_once(base: &Base, doubts: Vec<Doubt>) -> (Vec<Doubt>, Option<Failure>) {
    let proved = match proved(base, &doubts).await {
        Ok(proved) => proved,
        Err(failure) => return (doubts, Some(failure)),
    };
    let mut rest = Vec::new();
    for (place, doubt) in doubts.into_iter().enumerate() {
        let at = proved.iter().find_map(|(found, at)| (*found == place).then_some(*at));
        match (at, doubt) {
            (Some(at), Doubt { job, .. }) => job.end(base, Ok(Written::Done(at))),
            (None, Doubt { job, again: Some(answer) }) => job.end_in_doubt(base, Ok(answer)),
            (None, doubt) => rest.push(doubt),
        }
    }
    let mut still = Vec::new();
    for doubt in rest {
        match doubt.job.spend(base).await {
            Ok(Written::Done(at)) => doubt.job.end(base, Ok(Written::Done(at))),
            // it may have come on record in between: looked at once more
            Ok(again) => still.push(Doubt { again: Some(again), ..doubt }),
            Err(failure) => {
                tracing::debug!(?failure, "a claim in doubt could not be repeated");
                still.push(doubt);
                time::sleep(AGAIN_AFTER).await;
            }
        }
    }
    (still, None)
}

/// Which of them are on record under their own ticket, unasked; durable, since this very write is.
async fn proved(base: &Base, doubts: &[Doubt]) -> Result<Vec<(usize, Instant)>, Failure> {
    let rights = || doubts.iter().map(|doubt| &doubt.job);
    let bound = base
        .patience()
        .texts(rights().map(|right| right.key.company.as_str()))
        .texts(rights().map(|right| right.key.id.as_str()))
        .byte_strings(
            rights().map(|right| right.performer.as_ref().map(|by| by.ticket.0.as_slice())),
        );
    let rows = base.rows(&base.sql.prove_claims, &bound).await?;
    let proved = rows.iter().map(|row| {
        let mut columns = Columns::of(row);
        Ok((columns.place()?, columns.moment()?))
    });
    proved.collect::<Result<_, _>>().map_err(not_understood)
}
