//! The confirming lane: every claim that waits, with one statement.

use std::sync::Arc;

use pap_protocol::value::Instant;
use tokio_postgres::Row;

use super::base::{Base, Own, failed, not_understood};
use super::bound::{Bound, Proof};
use super::clock::ServerClock;
use super::failure::Failure;
use super::lane::{Job, Name, Work};
use super::rights::{Right, Spending, prove};
use super::rows::{Columns, written};
use crate::store::{Claim, Error, Written};

impl Job for Right {
    fn names(&self) -> impl Iterator<Item = Name<'_>> {
        let proof = match &self.spending {
            Spending::Claim { proof, .. } => proof.as_ref().map(|proof| Name::Proof(&proof.key)),
            Spending::Start => None,
        };
        std::iter::once(Name::Operation(&self.key)).chain(proof)
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

impl Work<Right> for Claims {
    async fn run(&mut self, jobs: Vec<Right>) {
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
    async fn apart(&mut self, jobs: Vec<Right>, failure: Failure) {
        let alone = jobs.len() == 1 && !failure.passes();
        if alone || matches!(failure, Failure::NotSent(_)) {
            let error = failed(failure);
            for job in jobs {
                job.end(&self.base, Err(Error::not_written(error.to_string())));
            }
            return;
        }
        for job in jobs {
            match job.spend(&self.base).await {
                Ok(answer) => job.end(&self.base, Ok(answer)),
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
    rows: &[Row],
    claims: usize,
) -> Result<Vec<Written>, Failure> {
    let mut answers = Vec::with_capacity(claims);
    for row in rows {
        let (at, written) = written(&mut Columns::of(row)).map_err(not_understood)?;
        base.heard(sent, at);
        base.way.standing.acknowledged(row.try_get(3).ok().flatten());
        answers.push(written);
    }
    if answers.len() == claims {
        return Ok(answers);
    }
    Err(Failure::Lost("the server answered about other claims than were asked".to_owned()))
}

/// What one claim is told by.
type Told<'r> = (&'r Claim, &'r str, Option<&'r Proof>);

fn bound<'j>(base: &'j Base, jobs: &'j [Right]) -> Bound<'j> {
    let told = jobs.iter().filter_map(|job| match &job.spending {
        Spending::Claim { claim, event, proof } => Some((&**claim, event.as_str(), proof.as_ref())),
        // those never come to this lane
        Spending::Start => None,
    });
    let told: Vec<Told<'_>> = told.collect();
    let claims = || told.iter().map(|(claim, ..)| *claim);
    let proofs = || told.iter().map(|(.., proof)| *proof);
    let performers = || claims().map(|claim| claim.performer.as_ref());
    base.write()
        .texts(claims().map(|claim| claim.key.company.as_str()))
        .texts(claims().map(|claim| claim.key.id.as_str()))
        .smalls(claims().map(|claim| claim.revision.get()))
        .texts(claims().map(|claim| claim.approved_by.as_str()))
        .texts(claims().map(|claim| claim.by.client.as_str()))
        .texts(claims().map(|claim| claim.by.key_thumbprint.as_str()))
        .texts(claims().map(|claim| claim.by.session.as_str()))
        .texts(claims().map(|claim| claim.by.account.as_deref()))
        .byte_strings(claims().map(|claim| claim.by.digest.as_slice()))
        .byte_strings(performers().map(|by| by.map(|by| by.ticket.0.as_slice())))
        .byte_strings(performers().map(|by| by.map(|by| by.life.0.as_slice())))
        .byte_strings(proofs().map(|proof| proof.map(|proof| proof.key.as_slice())))
        .byte_strings(proofs().map(|proof| proof.map(|proof| proof.ticket.as_slice())))
        .numbers(proofs().map(|proof| proof.map(|proof| proof.until)))
        .texts(told.iter().map(|(_, event, _)| *event))
}

/// One claim alone, on a connection of the pool.
pub(super) async fn claim_alone(base: &Base, job: &Right) -> Result<Written, Failure> {
    let sent = ServerClock::sending();
    let rows = base.rows(&base.sql.claim, &bound(base, std::slice::from_ref(job))).await?;
    let mut answers = decided(base, sent, &rows, 1)?;
    Ok(answers.pop().unwrap_or(Written::NotNow))
}
