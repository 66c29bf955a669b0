//! Confirmations: recorded with their evidence, and one of many.

use std::sync::Arc;
use std::time::Duration;

use pap_protocol::operation::{ApprovedBy, Confirmation, Revision, State};
use pap_protocol::value::Instant;

use super::Opens;
use super::bench::{
    Bench, LIFETIME, assert_done, assert_not_now, at_once, count_done, hex, kept, said,
};
use crate::store::{CloseProposed, Closing, EventKind, Running, Written, digest_of};

/// OPS-5.2-8: a claim that was answered is on record: confirmed, in progress, and on the list of open
/// work.
pub async fn a_claim_is_on_record_before_it_is_answered(open: impl Opens) {
    let bench = Bench::open(open).await;
    let new = bench.proposed().await;
    bench.clock.advance(Duration::from_secs(7));
    let claim = bench.claim_of(&new);
    let answer = kept(bench.store.claim(claim.clone()).await);
    assert_eq!(answer, Written::Done(bench.now()), "a claim is answered with its moment");

    let stored = bench.read(&new.key).await;
    assert_eq!(stored.state, State::InProgress);
    let confirmed = stored.confirmed.map(|confirmed| (confirmed.confirmation, confirmed.by));
    let (approved_by, confirmed_at) = (ApprovedBy::User, bench.now());
    let stated = Confirmation { revision: Revision::FIRST, approved_by, confirmed_at };
    assert_eq!(confirmed, Some((stated, claim.by)), "the evidence is what was stated");
    let running = Running {
        life: Some(bench.life),
        performing: true,
        epoch: 0,
        ask_after: bench.now(),
        asks: 0,
        died_asking: 0,
        stop_requested: None,
        due: None,
        attention: false,
    };
    assert_eq!(stored.running, Some(running), "it is on the list of open work");
    assert_eq!(stored.latest, new.revision, "what was confirmed is what was issued");
}

/// OPS-8-1: the record says which agent, with which key, in which Session and account, stated approval of
/// which revision, how and when.
pub async fn the_record_tells_who_confirmed_what(open: impl Opens) {
    let bench = Bench::open(open).await;
    for (approved_by, account) in [("user", Some("acct")), ("standing_permission", None)] {
        let new = bench.proposed().await;
        let mut claim = bench.claim_of(&new);
        claim.approved_by = approved_by.parse().unwrap_or(ApprovedBy::User);
        claim.by.account = account.map(str::to_owned);
        assert_done(bench.store.claim(claim.clone()).await, "it can be claimed");
        let events = bench.events(&new.key).await;
        let confirmed = events.iter().find(|event| event.kind == EventKind::Confirmed);
        let Some(confirmed) = confirmed else { panic!("a confirmation is on the record") };
        assert_eq!(said(confirmed, "client"), claim.by.client);
        assert_eq!(said(confirmed, "key_thumbprint"), claim.by.key_thumbprint);
        assert_eq!(said(confirmed, "session"), claim.by.session);
        assert_eq!(said(confirmed, "account"), serde_json::json!(account));
        assert_eq!(said(confirmed, "revision"), 1);
        assert_eq!(said(confirmed, "approved_by"), approved_by);
        assert_eq!(confirmed.at, bench.now());
    }
}

/// OPS-8-2: the digest on the record leads to the exact words and terms that were confirmed.
pub async fn the_exact_terms_of_a_confirmation_are_recoverable(open: impl Opens) {
    let bench = Bench::open(open).await;
    let new = bench.proposed().await;
    let second = bench.revision(2);
    assert!(matches!(bench.revise(&new.key, second.clone()).await, Written::Done(_)));
    let claim = bench.claim_of_revision(&new, &second);
    assert_done(bench.store.claim(claim).await, "the latest revision can be claimed");

    let history = bench.history(&new.key).await;
    let confirmed = history.events.iter().find(|event| event.kind == EventKind::Confirmed);
    let Some(confirmed) = confirmed else { panic!("a confirmation is on the record") };
    let covered = history.revisions.iter().find(|revision| {
        let digest = digest_of(&revision.summary, &revision.full, &revision.wire);
        let hex = hex(&digest);
        said(confirmed, "digest") == hex && said(confirmed, "revision") == revision.number.get()
    });
    assert_eq!(covered, Some(&second), "the record leads to the words that were confirmed");
}

/// OPS-5.2-4: a claim of other words than those of the revision on record claims nothing, so that whoever asks
/// by what it read before performs only what is there.
pub async fn other_words_under_the_same_number_are_not_claimed(open: impl Opens) {
    let bench = Bench::open(open).await;
    let new = bench.proposed().await;
    let before = bench.on_record(&new.key).await;
    let mut claim = bench.claim_of(&new);
    claim.by.digest = digest_of("Something else.", "{}", "{}");
    assert_not_now(bench.store.claim(claim).await, "it is not what was approved");
    assert_eq!(bench.on_record(&new.key).await, before, "it is as it was");
    assert_done(bench.store.claim(bench.claim_of(&new)).await, "the words on record are claimed");
}

/// OPS-6-4: of many claims of one operation at the same time, one wins.
pub async fn one_of_many_claims_wins(open: impl Opens) {
    let bench = Bench::open(open).await;
    for _ in 0..5 {
        let new = bench.proposed().await;
        let claims: Vec<_> = (0..64).map(|_| bench.claim_of(&new)).collect();
        let answers = at_once(claims.into_iter().map(|claim| {
            let store = Arc::clone(&bench.store);
            async move { kept(store.claim(claim).await) }
        }));
        assert_eq!(count_done(&answers.await), 1, "the right to perform is given once");
        let confirmed = bench.events(&new.key).await;
        let confirmed = confirmed.iter().filter(|event| event.kind == EventKind::Confirmed);
        assert_eq!(confirmed.count(), 1, "one confirmation is on the record");
    }
}

/// OPS-6-4: what was claimed cannot be claimed again, by any ticket.
pub async fn what_was_claimed_cannot_be_claimed_again(open: impl Opens) {
    let bench = Bench::open(open).await;
    let new = bench.proposed().await;
    let claim = bench.claim_of(&new);
    assert_done(bench.store.claim(claim.clone()).await, "it can be claimed");
    let before = bench.on_record(&new.key).await;
    assert_not_now(bench.store.claim(claim).await, "its own ticket claims nothing again");
    assert_not_now(bench.store.claim(bench.claim_of(&new)).await, "nor does another");
    assert_eq!(bench.on_record(&new.key).await, before, "it is as it was");
}

/// The last moment at which a revision can be confirmed is still in time, by the store's clock.
pub async fn a_claim_at_the_last_moment_is_in_time(open: impl Opens) {
    let bench = Bench::open(open).await;
    let (in_time, late) = (bench.proposed().await, bench.proposed().await);
    bench.clock.advance(LIFETIME);
    assert_done(bench.store.claim(bench.claim_of(&in_time)).await, "the last moment is in time");
    bench.clock.advance(Duration::from_millis(1));
    assert_not_now(bench.store.claim(bench.claim_of(&late)).await, "the next one is too late");
    let state = bench.read(&late.key).await.state;
    assert_eq!(state, State::Proposed, "a store applies expiry only when it is told to");
}

/// Time as a store tells it does not go back, so that what was too late stays too late.
pub async fn the_clock_of_a_store_does_not_go_back(open: impl Opens) {
    let bench = Bench::open(open).await;
    let new = bench.proposed().await;
    let before = bench.now();
    bench.clock.advance(LIFETIME + Duration::from_millis(1));
    let late = bench.now();
    assert_not_now(bench.store.claim(bench.claim_of(&new)).await, "it is too late");
    bench.clock.set(before);
    assert_eq!(bench.store.clock().now(), late, "the store's clock stays where it was");
    assert_not_now(bench.store.claim(bench.claim_of(&new)).await, "and it stays too late");
    assert_done(bench.close(&new.key, Closing::Expired).await, "and can be recorded as expired");
    let ended = bench.read(&new.key).await.result.map(|result| result.at);
    assert_eq!(ended, Some(late));
    bench.clock.set(Instant::from_millis(late.as_millis() + 1));
    assert_eq!(bench.store.clock().now(), bench.now(), "it goes on with the machine's");
}

/// OPS-7-2: a claim and a cancel at the same time: one of the two is written.
pub async fn a_claim_and_a_cancel_do_not_both_win(open: impl Opens) {
    let bench = Bench::open(open).await;
    for _ in 0..20 {
        let new = bench.proposed().await;
        let claim = bench.claim_of(&new);
        let close = CloseProposed {
            key: new.key.clone(),
            closing: Closing::Cancelled,
            summary: "Nothing was changed.".to_owned(),
            proof: Some(bench.proof()),
        };
        let (one, other) = (Arc::clone(&bench.store), Arc::clone(&bench.store));
        let claiming = async move { kept(one.claim(claim).await) };
        let cancelling = async move { kept(other.close_proposed(close).await) };
        let race: [std::pin::Pin<Box<dyn Future<Output = Written> + Send>>; 2] =
            [Box::pin(claiming), Box::pin(cancelling)];
        assert_eq!(count_done(&at_once(race).await), 1, "exactly one of the two is written");
        let stored = bench.read(&new.key).await;
        let expected =
            if stored.confirmed.is_some() { State::InProgress } else { State::Cancelled };
        assert_eq!(stored.state, expected, "and it is the one on record");
    }
}
