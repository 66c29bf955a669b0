//! Several companies in one store: none sees or touches another's.

use std::time::Duration;

use pap_protocol::operation::State;

use super::Opens;
use super::bench::{
    Bench, COMPANY, assert_done, assert_not_now, change, checkpoint, kept, taking, ticket_of,
};
use crate::store::{
    AskLaterBy, Claim, Closing, FinishBy, Key, Late, OpenAction, Proposed, RequestStop, Written,
};

/// Two companies may issue the same id: each has its own operation under it.
pub async fn two_companies_may_issue_one_id(open: impl Opens) {
    let bench = Bench::open(open).await;
    let mine = bench.proposed().await;
    let theirs = bench.of_another(&mine);
    assert_eq!(kept(bench.store.propose(theirs.clone()).await), Proposed::New);
    assert_eq!(bench.read(&mine.key).await.latest, mine.revision);
    assert_eq!(bench.read(&theirs.key).await.latest, theirs.revision);

    assert_done(bench.store.claim(bench.claim_of(&mine)).await, "one is claimed");
    assert_eq!(bench.read(&theirs.key).await.state, State::Proposed, "the other is not");
    assert_done(bench.close(&theirs.key, Closing::Cancelled).await, "one is declined");
    assert_eq!(bench.read(&mine.key).await.state, State::InProgress, "the other is not");
}

/// With another company's name nothing is read or written.
pub async fn a_company_reaches_its_own_operations_alone(open: impl Opens) {
    let bench = Bench::open(open).await;
    let new = bench.proposed().await;
    let key = Key { company: "another".to_owned(), id: new.key.id.clone() };
    assert!(kept(bench.store.read(&key).await).is_none(), "it is not read");
    assert!(kept(bench.store.history(&key).await).is_none(), "nor its history");
    let place = OpenAction { company: "another".to_owned(), ..new.open.clone() };
    assert!(kept(bench.store.find_open(&place).await).is_none(), "nor found as open");
    let claim = Claim { key: key.clone(), ..bench.claim_of(&new) };
    assert_not_now(bench.store.claim(claim).await, "nor claimed");
    assert_eq!(bench.revise(&key, bench.revision(2)).await, Written::NotNow, "nor revised");
    assert_not_now(bench.close(&key, Closing::Cancelled).await, "nor cancelled");

    let claim = bench.claim_of(&new);
    let ticket = ticket_of(&claim);
    assert_done(bench.store.claim(claim).await, "its own company claims it");
    let before = bench.on_record(&new.key).await;
    let stop = RequestStop { key: key.clone(), proof: None };
    assert_not_now(bench.store.request_stop(stop).await, "it is not stopped");
    for note in [change("Charged"), checkpoint("payment")] {
        assert_eq!(bench.note(&key, ticket, note).await, Written::NotNow, "nothing is noted");
    }
    let settler = FinishBy::Settler { who: "op".to_owned(), why: "call".to_owned() };
    for by in [FinishBy::Performer(ticket), FinishBy::Asker { epoch: 0, fence: None }, settler] {
        let finish = bench.finish(&key, by, State::Succeeded);
        assert_not_now(bench.store.finish(finish).await, "it is not ended");
    }
    for by in [AskLaterBy::Performer(ticket), AskLaterBy::Asker { epoch: 0 }] {
        let later = bench.later(&key, by, Duration::ZERO);
        assert_not_now(bench.store.ask_later(later).await, "nor asked about later");
    }
    let late = Late { key, state: None, what: "something".to_owned() };
    assert!(bench.store.record_late(late).await.is_err(), "nothing late is recorded");
    assert_eq!(bench.on_record(&new.key).await, before, "it is as it was");
}

/// A company asks about its own operations alone.
pub async fn a_company_asks_about_its_own_operations_alone(open: impl Opens) {
    let bench = Bench::open(open).await;
    let mine = bench.left().await;
    let theirs = bench.of_another(&bench.operation());
    assert_eq!(kept(bench.store.propose(theirs.clone()).await), Proposed::New);
    assert_done(bench.store.claim(bench.claim_of(&theirs)).await, "it is claimed");
    kept(bench.store.end_life(bench.life).await);
    for (company, expected) in [(COMPANY, mine), ("another", theirs.key)] {
        let taken = kept(bench.store.take_askable(taking(company, 10)).await);
        let taken: Vec<_> = taken.into_iter().map(|asked| asked.stored.key).collect();
        assert_eq!(taken, [expected], "each company gets its own");
    }
}
