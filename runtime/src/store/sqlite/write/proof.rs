//! The use of a proof by itself.

use super::super::transaction::{Proof, Transaction};
use super::Work;
use crate::store::{ProofUse, Written};

/// Puts the use of a proof on record.
pub(in super::super) fn record_proof(proof: &ProofUse) -> impl Work<Written> + use<> {
    let proof = Proof::of(proof);
    move |transaction: &Transaction<'_>| {
        let new = transaction.accept_proof(Some(&proof))?;
        failpoint!("store.record_proof.within", or return Err(crate::store::Error::not_written("a fail-point")));
        Ok(if new { Written::Done(transaction.now) } else { Written::Replayed })
    }
}
