//! Pauses: inside the write itself, so that they hold everywhere at once.

use std::sync::Arc;

use pap_protocol::operation::State;

use super::Opens;
use super::bench::{ACTION, Bench, COMPANY, assert_done, assert_not_now, at_once, kept};
use super::draft::{pause, resume};
use crate::store::{
    Claim, Closing, FinishBy, Key, NewOperation, OpenAction, Pause, PauseOf, Paused, ProofUse,
    Proposed, Resume, Written,
};

/// While claims are paused nothing is claimed, and what else can be done goes on.
pub async fn paused_claims_claim_nothing(open: impl Opens) {
    let bench = Bench::open(open).await;
    let new = bench.proposed().await;
    let (other, _) = bench.claimed().await;
    let waiting = bench.deferred().await;
    for action in [Some(ACTION), None] {
        kept(bench.keeping().pause(pause(action, PauseOf::Claims)).await);
        let before = bench.on_record(&new.key).await;
        assert_not_now(bench.store.claim(bench.claim_of(&new)).await, "claims are paused");
        let deferred = Claim { performer: None, ..bench.claim_of(&new) };
        assert_not_now(bench.store.claim(deferred).await, "also without a performer");
        assert_eq!(bench.on_record(&new.key).await, before, "nothing was written");
        assert!(kept(bench.keeping().resume(resume(action, PauseOf::Claims)).await));
    }
    kept(bench.keeping().pause(pause(Some(ACTION), PauseOf::Claims)).await);
    let next = bench.proposed().await;
    let answer = bench.revise(&next.key, bench.revision(2)).await;
    assert!(matches!(answer, Written::Done(_)), "it is proposed and revised");
    assert_done(bench.close(&next.key, Closing::Cancelled).await, "and declined");
    assert_done(bench.store.start(bench.start_of(&waiting.key)).await, "what is claimed goes on");
    let settler = FinishBy::Settler { who: "op".to_owned(), why: "call".to_owned() };
    let finish = bench.finish(&other, settler, State::Failed);
    assert_done(bench.store.finish(finish).await, "and ends");
    assert!(kept(bench.keeping().resume(resume(Some(ACTION), PauseOf::Claims)).await));
    assert_done(bench.store.claim(bench.claim_of(&new)).await, "then claims go on");
}

/// A proof that came with a paused claim was used: it cannot come again with another body.
pub async fn a_paused_claim_has_used_its_proof(open: impl Opens) {
    let bench = Bench::open(open).await;
    let new = bench.proposed().await;
    kept(bench.keeping().pause(pause(None, PauseOf::Claims)).await);
    let proof = bench.proof();
    let claim = Claim { proof: Some(proof.clone()), ..bench.claim_of(&new) };
    assert_not_now(bench.store.claim(claim.clone()).await, "claims are paused");
    assert!(kept(bench.keeping().resume(resume(None, PauseOf::Claims)).await));
    let again = ProofUse { ticket: bench.ticket(), ..proof };
    let replayed = Claim { proof: Some(again), ..bench.claim_of(&new) };
    assert_eq!(kept(bench.store.claim(replayed).await), Written::Replayed, "its proof was used");
    assert_done(bench.store.claim(claim).await, "our own retry is no replay");
}

/// While proposals are paused nothing new is proposed; what is open is found, revised, claimed.
pub async fn paused_proposals_propose_nothing(open: impl Opens) {
    let bench = Bench::open(open).await;
    let open = bench.proposed().await;
    for action in [Some(ACTION), None] {
        kept(bench.keeping().pause(pause(action, PauseOf::Proposals)).await);
        let new = bench.operation();
        assert_eq!(kept(bench.store.propose(new.clone()).await), Proposed::Paused);
        assert!(kept(bench.store.read(&new.key).await).is_none(), "nothing was written");
        let again = NewOperation { open: open.open.clone(), ..bench.operation() };
        let answer = kept(bench.store.propose(again).await);
        assert_eq!(answer, Proposed::Open(open.key.id.clone()), "what is open is found");
        assert!(kept(bench.keeping().resume(resume(action, PauseOf::Proposals)).await));
        assert_eq!(kept(bench.store.propose(new).await), Proposed::New, "its id was not used");
    }
    kept(bench.keeping().pause(pause(None, PauseOf::Proposals)).await);
    let second = bench.revision(2);
    let answer = bench.revise(&open.key, second.clone()).await;
    assert!(matches!(answer, Written::Done(_)), "it is revised");
    let claim = bench.claim_of_revision(&open, &second);
    assert_done(bench.store.claim(claim).await, "and claimed");
}

/// While proposals are paused one that has expired keeps its place: nothing at all is written.
pub async fn a_paused_proposal_ends_nothing(open: impl Opens) {
    let bench = Bench::open(open).await;
    let old = bench.proposed().await;
    bench.clock.advance(super::bench::LIFETIME * 2);
    kept(bench.keeping().pause(pause(None, PauseOf::Proposals)).await);
    let before = bench.on_record(&old.key).await;
    let again = NewOperation { open: old.open.clone(), ..bench.operation() };
    assert_eq!(kept(bench.store.propose(again).await), Proposed::Paused);
    assert_eq!(bench.on_record(&old.key).await, before, "its expiry is not recorded");
}

/// A pause holds back its own action, or all, of its own company.
pub async fn a_pause_holds_back_its_own_alone(open: impl Opens) {
    let bench = Bench::open(open).await;
    for of in PauseOf::ALL {
        kept(bench.keeping().pause(pause(Some("orders.return"), of)).await);
        let elsewhere = Pause { company: "another".to_owned(), ..pause(None, of) };
        kept(bench.keeping().pause(elsewhere).await);
    }
    let new = bench.proposed().await;
    assert_done(bench.store.claim(bench.claim_of(&new)).await, "another action is paused");
    let mut other = bench.operation();
    other.open = OpenAction { action: "orders.return".to_owned(), ..other.open };
    assert_eq!(kept(bench.store.propose(other).await), Proposed::Paused, "this one is");
    let theirs = bench.of_another(&bench.operation());
    assert_eq!(kept(bench.store.propose(theirs.clone()).await), Proposed::Paused, "all of theirs");

    let theirs_too = Resume { company: "another".to_owned(), ..resume(None, PauseOf::Proposals) };
    assert!(kept(bench.keeping().resume(theirs_too).await));
    assert_eq!(kept(bench.store.propose(theirs.clone()).await), Proposed::New);
    assert_not_now(bench.store.claim(bench.claim_of(&theirs)).await, "their claims still are");
    let ours = kept(bench.keeping().pauses(COMPANY).await);
    assert_eq!(ours.len(), 2, "each company sees its own");
    assert_eq!(kept(bench.keeping().pauses("another").await).len(), 1);
    assert!(kept(bench.keeping().pauses("nobody").await).is_empty());
}

/// Pauses are told with who, why and since when, oldest first; pausing again keeps the first, and a pause
/// of all actions is another than one of each.
pub async fn pauses_are_told_and_end_one_by_one(open: impl Opens) {
    let bench = Bench::open(open).await;
    let told = |action: Option<&str>, of, since| Paused {
        action: action.map(str::to_owned),
        of,
        since,
        who: "operator 7".to_owned(),
        why: "the warehouse burns".to_owned(),
    };
    let mut expected = Vec::new();
    for (action, of) in
        [(Some(ACTION), PauseOf::Claims), (None, PauseOf::Claims), (None, PauseOf::Proposals)]
    {
        kept(bench.keeping().pause(pause(action, of)).await);
        expected.push(told(action, of, bench.now()));
        bench.clock.advance(std::time::Duration::from_secs(1));
    }
    let again = Pause { who: "operator 9".to_owned(), ..pause(None, PauseOf::Claims) };
    kept(bench.keeping().pause(again).await);
    assert_eq!(kept(bench.keeping().pauses(COMPANY).await), expected, "the first stands");

    let new = bench.operation();
    assert!(kept(bench.keeping().resume(resume(None, PauseOf::Proposals)).await));
    assert!(!kept(bench.keeping().resume(resume(None, PauseOf::Proposals)).await), "it is over");
    assert!(!kept(bench.keeping().resume(resume(Some("x"), PauseOf::Claims)).await));
    assert_eq!(kept(bench.store.propose(new.clone()).await), Proposed::New);
    assert!(kept(bench.keeping().resume(resume(None, PauseOf::Claims)).await));
    assert_not_now(bench.store.claim(bench.claim_of(&new)).await, "that of the action is left");
    assert!(kept(bench.keeping().resume(resume(Some(ACTION), PauseOf::Claims)).await));
    assert_done(bench.store.claim(bench.claim_of(&new)).await, "now none is left");
}

/// Once a pause is on record no claim is written that is asked for after it, however many are at it.
pub async fn after_a_pause_no_claim_is_written(open: impl Opens) {
    let bench = Bench::open(open).await;
    for _ in 0..5 {
        let mut claims = Vec::new();
        for _ in 0..16 {
            claims.push(bench.claim_of(&bench.proposed().await));
        }
        let keys: Vec<Key> = claims.iter().map(|claim| claim.key.clone()).collect();
        let store = Arc::clone(&bench.store);
        let pausing =
            async move { kept(store.keeping().pause(pause(None, PauseOf::Claims)).await) };
        let store = Arc::clone(&bench.store);
        let claiming = at_once(claims.into_iter().map(move |claim| {
            let store = Arc::clone(&store);
            async move { kept(store.claim(claim).await) }
        }));
        let ((), _) = tokio::join!(pausing, claiming);
        for key in keys {
            let stored = bench.read(&key).await;
            let new = NewOperation { key, revision: stored.latest, ..bench.operation() };
            let answer = kept(bench.store.claim(bench.claim_of(&new)).await);
            assert_eq!(answer, Written::NotNow, "claims are paused");
        }
        assert!(kept(bench.keeping().resume(resume(None, PauseOf::Claims)).await));
    }
}
