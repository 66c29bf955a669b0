//! The confirming lane: every claim that waits, with one statement; and what becomes of a claim whose
//! acknowledgement was lost.

use std::sync::Arc;
use std::time::Duration;

use pap_protocol::value::Instant;
use tokio::sync::oneshot;
use tokio::time;

use super::base::{Base, Own, failed};
use super::bound::{Bound, Proof, check_texts};
use super::clock::ServerClock;
use super::disown::Disowned;
use super::failure::Failure;
use super::lane::{Job, Name, Work};
use super::rows::{Columns, written};
use crate::store::{Claim, Error, Written, detail};

/// Between two attempts to reach a server that does not answer.
const AGAIN_AFTER: Duration = Duration::from_millis(100);

/// A claim that waits, with the answer it waits for.
pub(super) struct ClaimJob {
    claim: Claim,
    event: String,
    proof: Option<Proof>,
    answer: oneshot::Sender<Result<Written, Error>>,
}

impl ClaimJob {
    /// Puts a claim in words; where its answer comes.
    pub(super) fn of(claim: Claim, base: Arc<Base>) -> Result<(Self, Answer), Error> {
        let by = &claim.by;
        check_texts(
            [&claim.key.company, &by.client, &by.key_thumbprint, &by.session].map(String::as_str),
        )?;
        check_texts(by.account.as_deref())?;
        let event = detail::confirmed(&claim)?;
        let proof = claim.proof.as_ref().map(Proof::of);
        let (answer, receiver) = oneshot::channel();
        let disowned = Disowned::recorded(claim.key.clone(), claim.ticket);
        Ok((Self { claim, event, proof, answer }, Answer { receiver, base, disowned }))
    }

    /// Answers. What was claimed for somebody who went away is nobody's.
    fn end(self, base: &Base, answer: Result<Written, Error>) {
        let claimed = matches!(answer, Ok(Written::Done(_)));
        if self.answer.send(answer).is_err() && claimed {
            base.disown(Disowned::recorded(self.claim.key, self.claim.ticket));
        }
    }

    /// Answers that nobody may perform from this ticket, which may be on record, or come there.
    fn end_in_doubt(self, base: &Base, answer: Result<Written, Error>) {
        base.disown(Disowned::doubtful(self.claim.key.clone(), self.claim.ticket));
        self.end(base, answer);
    }
}

impl Job for ClaimJob {
    fn names(&self) -> Vec<Name> {
        let proof = self.proof.as_ref().map(|proof| Name::Proof(proof.key));
        std::iter::once(Name::Operation(self.claim.key.clone())).chain(proof).collect()
    }
}

/// Where the answer to a claim comes. Whoever drops it before has claimed for nobody.
pub(super) struct Answer {
    receiver: oneshot::Receiver<Result<Written, Error>>,
    base: Arc<Base>,
    disowned: Disowned,
}

impl Answer {
    pub(super) async fn wait(mut self) -> Result<Written, Error> {
        let answer = (&mut self.receiver).await;
        answer.unwrap_or_else(|gone| {
            Err(Error::unknown("the confirming lane ended before it answered").from_source(gone))
        })
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        // once closed, the lane is told that nobody listens; what came before is taken out here
        self.receiver.close();
        if let Ok(Ok(Written::Done(_))) = self.receiver.try_recv() {
            self.base.disown(self.disowned.clone());
        }
    }
}

/// The lane's own connection.
pub(super) struct Claims {
    base: Arc<Base>,
    own: Own,
}

impl Claims {
    pub(super) fn new(base: Arc<Base>) -> Self {
        Self { base, own: Own::default() }
    }
}

impl Work<ClaimJob> for Claims {
    async fn run(&mut self, jobs: Vec<ClaimJob>) {
        let sent = ServerClock::sending();
        let answer =
            self.own.rows(&self.base.way, &self.base.sql.claim, &bound(&self.base, &jobs)).await;
        match answer.and_then(|rows| decided(&self.base, sent, &rows, jobs.len())) {
            Ok(answers) => {
                for (job, answer) in jobs.into_iter().zip(answers) {
                    job.end(&self.base, Ok(answer));
                }
            }
            Err(Failure::Lost(why)) => {
                tracing::warn!(why, claims = jobs.len(), "the acknowledgement of a claim was lost");
                // beside the lane: others go on confirming on another connection
                let base = Arc::clone(&self.base);
                drop(self.base.way.handle.spawn(async move { prove(&base, jobs, why).await }));
            }
            Err(failure) => self.apart(jobs, failure).await,
        }
    }
}

impl Claims {
    /// Nothing was written: one that was refused must not keep the others from being claimed.
    async fn apart(&mut self, jobs: Vec<ClaimJob>, failure: Failure) {
        let alone = jobs.len() == 1 && !failure.passes();
        if alone || matches!(failure, Failure::NotSent(_)) {
            let error = failed(failure);
            for job in jobs {
                job.end(&self.base, Err(Error::not_written(error.to_string())));
            }
            return;
        }
        for job in jobs {
            let sent = ServerClock::sending();
            let one = std::slice::from_ref(&job);
            let answer = self.base.rows(&self.base.sql.claim, &bound(&self.base, one)).await;
            match answer.and_then(|rows| decided(&self.base, sent, &rows, 1)) {
                Ok(mut answers) => {
                    let answer = answers.pop().unwrap_or(Written::NotNow);
                    job.end(&self.base, Ok(answer));
                }
                Err(Failure::Lost(why)) => {
                    let base = Arc::clone(&self.base);
                    drop(
                        self.base
                            .way
                            .handle
                            .spawn(async move { prove(&base, vec![job], why).await }),
                    );
                }
                Err(failure) => job.end(&self.base, Err(failed(failure))),
            }
        }
    }
}

/// What became of each claim.
fn decided(
    base: &Base,
    sent: Instant,
    rows: &[tokio_postgres::Row],
    claims: usize,
) -> Result<Vec<Written>, Failure> {
    let mut answers = Vec::with_capacity(claims);
    for row in rows {
        let (at, written) = written(&mut Columns::of(row)).map_err(not_understood)?;
        base.heard(sent, at);
        answers.push(written);
    }
    if answers.len() == claims {
        return Ok(answers);
    }
    Err(Failure::Lost("the server answered about other claims than were asked".to_owned()))
}

fn not_understood(_: Error) -> Failure {
    Failure::Lost("the server's answer cannot be understood".to_owned())
}

fn bound(base: &Base, jobs: &[ClaimJob]) -> Bound {
    let claims = || jobs.iter().map(|job| &job.claim);
    let proofs = || jobs.iter().map(|job| job.proof.as_ref());
    base.write()
        .texts(claims().map(|claim| claim.key.company.clone()))
        .texts(claims().map(|claim| claim.key.id.to_string()))
        .smalls(claims().map(|claim| claim.revision.get()))
        .texts(claims().map(|claim| claim.approved_by.as_str().to_owned()))
        .texts(claims().map(|claim| claim.by.client.clone()))
        .texts(claims().map(|claim| claim.by.key_thumbprint.clone()))
        .texts(claims().map(|claim| claim.by.session.clone()))
        .texts(claims().map(|claim| claim.by.account.clone()))
        .byte_strings(claims().map(|claim| claim.by.digest.to_vec()))
        .byte_strings(claims().map(|claim| claim.ticket.0.to_vec()))
        .byte_strings(claims().map(|claim| claim.life.0.to_vec()))
        .byte_strings(proofs().map(|proof| proof.map(|proof| proof.key.to_vec())))
        .byte_strings(proofs().map(|proof| proof.map(|proof| proof.ticket.to_vec())))
        .numbers(proofs().map(|proof| proof.map(|proof| proof.until)))
        .texts(jobs.iter().map(|job| job.event.clone()))
}

/// A claim in doubt, and what its repetition came to.
struct Doubt {
    job: ClaimJob,
    again: Option<Written>,
}

/// Finds out what became of claims whose acknowledgement was lost. A ticket that is seen is not believed:
/// a write of its own, acknowledged, proves it. What is still proposed is claimed again with the same
/// ticket. What somebody else has, or nobody can know within the time of an answer, is performed by nobody.
async fn prove(base: &Base, jobs: Vec<ClaimJob>, mut why: String) {
    let end = time::Instant::now() + base.way.answer_within;
    let mut doubts: Vec<Doubt> = jobs.into_iter().map(|job| Doubt { job, again: None }).collect();
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
        let sent = ServerClock::sending();
        let one = std::slice::from_ref(&doubt.job);
        let answer = base.rows(&base.sql.claim, &bound(base, one)).await;
        match answer.and_then(|rows| decided(base, sent, &rows, 1)).map(|mut rows| rows.pop()) {
            Ok(Some(Written::Done(at))) => doubt.job.end(base, Ok(Written::Done(at))),
            // it may have come on record in between: looked at once more
            Ok(again) => {
                let again = again.or(Some(Written::NotNow));
                still.push(Doubt { again, ..doubt });
            }
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
    let claims = || doubts.iter().map(|doubt| &doubt.job.claim);
    let bound = base
        .patience()
        .texts(claims().map(|claim| claim.key.company.clone()))
        .texts(claims().map(|claim| claim.key.id.to_string()))
        .byte_strings(claims().map(|claim| claim.ticket.0.to_vec()));
    let rows = base.rows(&base.sql.prove_claims, &bound).await?;
    let proved = rows.iter().map(|row| {
        let mut columns = Columns::of(row);
        Ok((columns.place()?, columns.moment()?))
    });
    proved.collect::<Result<_, _>>().map_err(not_understood)
}
