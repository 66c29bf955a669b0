//! Proofs: each is accepted once, whatever its request decides.

use std::sync::Arc;
use std::time::Duration;

use pap_protocol::operation::State;

use super::Opens;
use super::bench::{Bench, assert_done, at_once, count_done, kept, revision};
use crate::store::{Claim, CloseProposed, Closing, ProofUse, RequestStop, Written};

/// A proof that was used is refused, by whichever request it comes again.
pub async fn a_proof_is_accepted_once(open: impl Opens) {
    let bench = Bench::open(open).await;
    let proof = bench.proof();
    assert_done(bench.store.record_proof(proof.clone()).await, "a new proof is accepted");
    let again = ProofUse { ticket: bench.ticket(), ..proof };
    let answer = kept(bench.store.record_proof(again).await);
    assert_eq!(answer, Written::Replayed, "another request with the same proof is refused");
}

/// A request that is sent again by ourselves, its answer lost, is not taken for a replay.
pub async fn our_own_retry_is_no_replay(open: impl Opens) {
    let bench = Bench::open(open).await;
    let proof = bench.proof();
    assert_done(bench.store.record_proof(proof.clone()).await, "a new proof is accepted");
    assert_done(bench.store.record_proof(proof).await, "our own retry is accepted");

    let new = bench.proposed().await;
    let mut claim = bench.claim_of(&new);
    claim.proof = Some(bench.proof());
    assert_done(bench.store.claim(claim.clone()).await, "the claim is accepted");
    let again = kept(bench.store.claim(claim).await);
    assert_eq!(again, Written::NotNow, "a retry is decided again, and is no second claim");
}

/// Proofs of different keys, and parts that join to the same text, are different proofs.
pub async fn a_proof_is_known_by_its_key_and_its_id(open: impl Opens) {
    let bench = Bench::open(open).await;
    for (thumbprint, jti) in [("ab", "c"), ("a", "bc"), ("b", "c"), ("ab", "d")] {
        let (thumbprint, jti) = (thumbprint.to_owned(), jti.to_owned());
        let proof = ProofUse { thumbprint, jti, ..bench.proof() };
        assert_done(bench.store.record_proof(proof).await, "another proof is accepted");
    }
}

/// A proof whose request was refused cannot be sent again with another body.
pub async fn a_refused_request_has_used_its_proof(open: impl Opens) {
    let bench = Bench::open(open).await;
    let new = bench.proposed().await;
    let mut claim = bench.claim_of(&new);
    let proof = bench.proof();
    (claim.revision, claim.proof) = (revision(2), Some(proof.clone()));
    let refused = kept(bench.store.claim(claim).await);
    assert_eq!(refused, Written::NotNow, "a revision that was never issued cannot be claimed");

    let mut claim = bench.claim_of(&new);
    claim.proof = Some(ProofUse { ticket: bench.ticket(), ..proof });
    let refused = kept(bench.store.claim(claim).await);
    assert_eq!(refused, Written::Replayed, "the proof of a refused claim was used");
    let state = bench.read(&new.key).await.state;
    assert_eq!(state, State::Proposed, "a replayed claim claims nothing");
}

/// Whatever a replayed proof comes with, nothing is written.
pub async fn a_replayed_proof_changes_nothing(open: impl Opens) {
    let bench = Bench::open(open).await;
    let used = bench.proof();
    assert_done(bench.store.record_proof(used.clone()).await, "a new proof is accepted");
    let replayed = Some(ProofUse { ticket: bench.ticket(), ..used });

    let new = bench.proposed().await;
    let before = bench.on_record(&new.key).await;
    let mut claim = bench.claim_of(&new);
    claim.proof.clone_from(&replayed);
    assert_eq!(kept(bench.store.claim(claim).await), Written::Replayed, "no claim");
    let close = CloseProposed {
        key: new.key.clone(),
        closing: Closing::Cancelled,
        summary: "Nothing was changed.".to_owned(),
        proof: replayed.clone(),
    };
    assert_eq!(kept(bench.store.close_proposed(close).await), Written::Replayed, "no cancel");
    assert_eq!(bench.on_record(&new.key).await, before, "a replay leaves nothing on record");

    let (key, _) = bench.claimed().await;
    let before = bench.on_record(&key).await;
    let stop = RequestStop { key: key.clone(), proof: replayed };
    assert_eq!(kept(bench.store.request_stop(stop).await), Written::Replayed, "no stop");
    assert_eq!(bench.on_record(&key).await, before, "a replay leaves nothing on record");
}

/// Of many requests with one proof at the same time, one is accepted.
pub async fn one_of_many_gets_a_proof(open: impl Opens) {
    let bench = Bench::open(open).await;
    let proof = bench.proof();
    let uses: Vec<_> =
        (0..64).map(|_| ProofUse { ticket: bench.ticket(), ..proof.clone() }).collect();
    let answers = at_once(uses.into_iter().map(|proof| {
        let store = Arc::clone(&bench.store);
        async move { kept(store.record_proof(proof).await) }
    }));
    assert_eq!(count_done(&answers.await), 1, "a proof is accepted once");
}

/// A proof is remembered up to the moment that was asked for, however many others come and go.
pub async fn a_proof_is_remembered_until_its_time_is_over(open: impl Opens) {
    let bench = Bench::open(open).await;
    let proof = bench.proof();
    assert_done(bench.store.record_proof(proof.clone()).await, "a new proof is accepted");
    for _ in 0..60 {
        bench.clock.advance(Duration::from_secs(10));
        for _ in 0..4 {
            let other = bench.proof();
            assert_done(bench.store.record_proof(other).await, "a new proof is accepted");
        }
    }
    let again = ProofUse { ticket: bench.ticket(), ..proof };
    assert!(bench.now() <= again.until, "its time is not over");
    let answer = kept(bench.store.record_proof(again).await);
    assert_eq!(answer, Written::Replayed, "a proof is remembered until its time is over");
}

/// A proof that was used is refused when its time is over too, though it may be forgotten by then; and a
/// slow request, whose proof's time is over when it is decided, uses that once at most.
pub async fn a_proof_whose_time_is_over_is_not_accepted(open: impl Opens) {
    let bench = Bench::open(open).await;
    let proof = bench.proof();
    assert_done(bench.store.record_proof(proof.clone()).await, "a new proof is accepted");
    let slow = bench.proof();
    bench.clock.advance(AHEAD);
    others_come(&bench).await;
    let answer = kept(bench.store.record_proof(another_use(&bench, &proof)).await);
    assert_eq!(answer, Written::Replayed, "its time is over");
    let mut answers = vec![kept(bench.store.record_proof(slow.clone()).await)];
    others_come(&bench).await;
    answers.push(kept(bench.store.record_proof(another_use(&bench, &slow)).await));
    assert!(count_done(&answers) < 2, "it is used once at most");
}

/// However the clock is set, ahead, until what was used is forgotten, and back: a proof is accepted once, by
/// whichever request it comes again, and one that is made now is accepted at once.
pub async fn a_clock_that_is_set_makes_no_used_proof_new(open: impl Opens) {
    let bench = Bench::open(open).await;
    let before = bench.now();
    let used = [bench.proof(), bench.proof(), bench.proof()];
    for proof in used.clone() {
        assert_done(bench.store.record_proof(proof).await, "a new proof is accepted");
    }
    let mut ahead = Vec::new();
    bench.clock.advance(AHEAD);
    // what is proposed by then can be confirmed, as the time that the store tells does not go back
    let (new, (key, _)) = (bench.proposed().await, bench.claimed().await);
    for step in 1..=3_u64 {
        bench.clock.set(before.saturating_add(AHEAD));
        ahead.extend(others_come(&bench).await);
        // a second each time, as everything goes on
        bench.clock.set(before.saturating_add(Duration::from_secs(step)));
        assert_done(bench.store.record_proof(bench.proof()).await, "a new proof is accepted");
        for proof in used.iter().chain(&ahead) {
            let answer = kept(bench.store.record_proof(another_use(&bench, proof)).await);
            assert_eq!(answer, Written::Replayed, "a proof that was used is refused");
        }
    }
    let [first, second, third] = used.map(|proof| Some(another_use(&bench, &proof)));
    let claim = Claim { proof: first, ..bench.claim_of(&new) };
    assert_eq!(kept(bench.store.claim(claim).await), Written::Replayed, "no claim");
    let (proposed, closing, summary) = (new.key.clone(), Closing::Cancelled, "Nothing.".to_owned());
    let close = CloseProposed { key: proposed, closing, summary, proof: second };
    assert_eq!(kept(bench.store.close_proposed(close).await), Written::Replayed, "no cancel");
    let stop = RequestStop { key, proof: third };
    assert_eq!(kept(bench.store.request_stop(stop).await), Written::Replayed, "no stop");
    let claim = Claim { proof: Some(bench.proof()), ..bench.claim_of(&new) };
    assert_done(bench.store.claim(claim).await, "a new proof confirms at once");
}

/// So far a clock is set ahead: the time of every proof from before is over.
const AHEAD: Duration = Duration::from_secs(3_600);

/// The same proof with another request.
fn another_use(bench: &Bench, proof: &ProofUse) -> ProofUse {
    ProofUse { ticket: bench.ticket(), ..proof.clone() }
}

/// Others come, and what is over is forgotten.
async fn others_come(bench: &Bench) -> Vec<ProofUse> {
    let others: Vec<_> = (0..200).map(|_| bench.proof()).collect();
    for other in others.clone() {
        assert_done(bench.store.record_proof(other).await, "a new proof is accepted");
    }
    others
}
